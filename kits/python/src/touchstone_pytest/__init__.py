"""A simulated service for each test: the fixture ``service`` is a :class:`Service`."""

from .control import ControlError
from .service import Clock, Exchange, Journal, Message, Service, Situation
from .simulator import SimulatorError

__all__ = [
    "Clock",
    "ControlError",
    "Exchange",
    "Journal",
    "Message",
    "Service",
    "SimulatorError",
    "Situation",
]

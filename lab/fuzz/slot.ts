/** The input under work, where another thread can see it: a thread that hangs cannot say what it hangs at. */
const [STARTED, SURFACE, NUMBER, LENGTH, WORDS] = [0, 1, 2, 3, 4]
const capacity = 1 << 22

export interface Slot {
  readonly memory: SharedArrayBuffer
  put(surface: number, number: number, input: Uint8Array): void
  /** Says that the thread is alive where it has something else to do than inputs. */
  beat(): void
  /** Counts inputs that were begun, and beats. Changes as long as the thread is alive to its work. */
  begun(): number
  look(): { surface: number; number: number; input: Uint8Array }
}

export function slotIn(memory = new SharedArrayBuffer(WORDS * 4 + capacity)): Slot {
  const words = new Int32Array(memory, 0, WORDS)
  const bytes = new Uint8Array(memory, WORDS * 4)
  const word = (at: number): number => Atomics.load(words, at)
  return {
    memory,
    put(surface, number, input) {
      const kept = input.subarray(0, capacity)
      bytes.set(kept)
      Atomics.store(words, SURFACE, surface)
      Atomics.store(words, NUMBER, number)
      Atomics.store(words, LENGTH, kept.length)
      Atomics.add(words, STARTED, 1)
    },
    beat: () => void Atomics.add(words, STARTED, 1),
    begun: () => word(STARTED),
    look: () => ({ surface: word(SURFACE), number: word(NUMBER), input: bytes.slice(0, word(LENGTH)) }),
  }
}

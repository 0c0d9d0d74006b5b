// Generated from spec/asyncapi.yaml by `npm run generate`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * StreamEvent
         * @description The events that the contract knows. A client also gets along with a `type` that is not among them.
         */
        StreamEvent: components["schemas"]["TokenEvent"] | components["schemas"]["ActionStartEvent"] | components["schemas"]["ActionCompleteEvent"] | components["schemas"]["GateTriggeredEvent"] | components["schemas"]["DoneEvent"] | components["schemas"]["ErrorEvent"];
        /**
         * OlderStreamEvent
         * @description Only the three names are shown, neither where they stand nor what else there is.
         */
        OlderStreamEvent: {
            /** @enum {string} */
            type: "text" | "sources" | "done";
        } & {
            [key: string]: unknown;
        };
        /**
         * Delivery
         * @description The JSON body of a delivery. Distinguish events by `eventType`.
         */
        Delivery: components["schemas"]["LeadsSubmitDelivery"] | components["schemas"]["OpenDelivery"];
        /** TokenEvent */
        TokenEvent: {
            /** @constant */
            type: "token";
            /** @description A part of the reply. */
            token: string;
        };
        /** ActionStartEvent */
        ActionStartEvent: {
            /** @constant */
            type: "action_start";
            /** @description The tool that started. */
            actionName: string;
        };
        /** ActionCompleteEvent */
        ActionCompleteEvent: {
            /** @constant */
            type: "action_complete";
            /** @description The tool that finished. */
            actionName: string;
            success: boolean;
        };
        /** GateTriggeredEvent */
        GateTriggeredEvent: {
            /** @constant */
            type: "gate_triggered";
            /** @description What the safety or policy gate decided. */
            decision: string;
            /** @description Why. */
            reason: string;
        };
        /**
         * Presentation
         * @description Ordered messages, buttons, image URLs and media URLs of a Workflow turn. Only the version is known by value.
         */
        Presentation: {
            /** @constant */
            version?: 1;
        } & {
            [key: string]: unknown;
        };
        /**
         * CustomerMessage
         * @description The customer message that was stored while AI replies are paused.
         */
        CustomerMessage: {
            /** @description Says in some way that the reply is paused. */
            ai_reply: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * ChatReply
         * @description The reply to one turn. Diagnostic members may stand beside these; nobody may rely on them.
         */
        ChatReply: {
            /** @description What the agent says; empty when the message was stored while AI replies are paused. */
            response: string;
            /**
             * Format: uuid
             * @description To be sent with the next turn of this conversation.
             */
            conversation_id: string;
            /** @description What this request cost. */
            credits_used: number;
            /** @description What is left after it. */
            credits_remaining: number;
            presentation?: components["schemas"]["Presentation"];
            customer_message?: components["schemas"]["CustomerMessage"];
        };
        /**
         * DoneEvent
         * @description The end of a stream, with the final fields of the reply.
         */
        DoneEvent: {
            /** @constant */
            type: "done";
        } & components["schemas"]["ChatReply"];
        /**
         * ErrorEvent
         * @description The request failed after its stream had begun.
         */
        ErrorEvent: {
            /** @constant */
            type: "error";
            error: string;
        };
        /**
         * WebhookEventName
         * @enum {string}
         */
        WebhookEventName: "leads.submit" | "message.sent" | "tool.executed" | "booking.created" | "booking.cancelled" | "booking.rescheduled" | "order.confirmed" | "custom_form.submitted" | "payment.proof_received" | "payment.verification_pending" | "payment.verified" | "payment.rejected" | "record.created" | "procedure.alert.created" | "procedure.approval.requested" | "procedure.approval.resolved" | "procedure.handoff.requested" | "procedure.escalated";
        /**
         * DeliveryHeaders
         * @description In lower case here; the casing of header names has no meaning. Custom headers stand beside these.
         */
        DeliveryHeaders: {
            "content-type": string;
            /** @description HMAC-SHA256 over the exact bytes of the body, keyed with the secret of the webhook. */
            "x-service-signature": string;
            /** @description One per delivery: a receiver drops what it has seen. Live ones begin with `whd_`, tests with `test_`. */
            "x-service-delivery-id": string;
            "x-service-event": components["schemas"]["WebhookEventName"];
            /** @constant */
            "user-agent": "Service-Webhooks/1.0";
        };
        /**
         * LeadsSubmitDelivery
         * @description The one event whose payload is shown.
         */
        LeadsSubmitDelivery: {
            /** @constant */
            eventType: "leads.submit";
            /** @description The agent. */
            chatbotId: string;
            /**
             * Format: date-time
             * @description UTC.
             */
            timestamp: string;
            /** LeadsSubmitPayload */
            payload: {
                conversationId: string;
                customerEmail: string;
                customerName: string;
                /**
                 * @description In some test deliveries.
                 * @constant
                 */
                _test?: true;
            } & {
                [key: string]: unknown;
            };
        };
        /**
         * OpenDelivery
         * @description Every event whose payload is not shown.
         */
        OpenDelivery: {
            /**
             * OpenEventName
             * @enum {string}
             */
            eventType: "message.sent" | "tool.executed" | "booking.created" | "booking.cancelled" | "booking.rescheduled" | "order.confirmed" | "custom_form.submitted" | "payment.proof_received" | "payment.verification_pending" | "payment.verified" | "payment.rejected" | "record.created" | "procedure.alert.created" | "procedure.approval.requested" | "procedure.approval.resolved" | "procedure.handoff.requested" | "procedure.escalated";
            /** @description The agent. */
            chatbotId: string;
            /**
             * Format: date-time
             * @description UTC.
             */
            timestamp: string;
            /** OpenPayload */
            payload: {
                /**
                 * @description In some test deliveries.
                 * @constant
                 */
                _test?: true;
            } & {
                [key: string]: unknown;
            };
        };
        /**
         * OlderDelivery
         * @description A webhook body as the older description shows it.
         */
        OlderDelivery: {
            /** @example message.received */
            event: string;
            /** OlderDeliveryData */
            data: {
                conversation_id: string;
                /** @description Its type is not shown. */
                message: unknown;
            } & {
                [key: string]: unknown;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

export type ActionCompleteEvent = components['schemas']['ActionCompleteEvent']
export type ActionStartEvent = components['schemas']['ActionStartEvent']
export type ChatReply = components['schemas']['ChatReply']
export type CustomerMessage = components['schemas']['CustomerMessage']
export type Delivery = components['schemas']['Delivery']
export type DeliveryHeaders = components['schemas']['DeliveryHeaders']
export type DoneEvent = components['schemas']['DoneEvent']
export type ErrorEvent = components['schemas']['ErrorEvent']
export type GateTriggeredEvent = components['schemas']['GateTriggeredEvent']
export type LeadsSubmitDelivery = components['schemas']['LeadsSubmitDelivery']
export type OlderDelivery = components['schemas']['OlderDelivery']
export type OlderStreamEvent = components['schemas']['OlderStreamEvent']
export type OpenDelivery = components['schemas']['OpenDelivery']
export type Presentation = components['schemas']['Presentation']
export type StreamEvent = components['schemas']['StreamEvent']
export type TokenEvent = components['schemas']['TokenEvent']
export type WebhookEventName = components['schemas']['WebhookEventName']

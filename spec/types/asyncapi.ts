// Generated from spec/asyncapi.yaml by `npm run generate`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The events that the contract knows. A client also gets along with a `type` that is not among them. */
        StreamEvent: components["schemas"]["TokenEvent"] | components["schemas"]["ActionStartEvent"] | components["schemas"]["ActionCompleteEvent"] | components["schemas"]["GateTriggeredEvent"] | components["schemas"]["DoneEvent"] | components["schemas"]["ErrorEvent"];
        TokenEvent: {
            /** @constant */
            type: "token";
            /** @description A part of the reply. */
            token: string;
        };
        ActionStartEvent: {
            /** @constant */
            type: "action_start";
            /** @description The tool that started. */
            actionName: string;
        };
        ActionCompleteEvent: {
            /** @constant */
            type: "action_complete";
            /** @description The tool that finished. */
            actionName: string;
            success: boolean;
        };
        GateTriggeredEvent: {
            /** @constant */
            type: "gate_triggered";
            /** @description What the safety or policy gate decided. */
            decision: string;
            /** @description Why. */
            reason: string;
        };
        /** @description Ordered messages, buttons, image URLs and media URLs of a Workflow turn. Only the version is known by value. */
        Presentation: {
            /** @constant */
            version?: 1;
        } & {
            [key: string]: unknown;
        };
        /** @description The customer message that was stored while AI replies are paused. */
        CustomerMessage: {
            /** @description Says in some way that the reply is paused. */
            ai_reply: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description The reply to one turn. Diagnostic members may stand beside these; nobody may rely on them. */
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
        /** @description The end of a stream, with the final fields of the reply. */
        DoneEvent: {
            /** @constant */
            type: "done";
        } & components["schemas"]["ChatReply"];
        /** @description The request failed after its stream had begun. */
        ErrorEvent: {
            /** @constant */
            type: "error";
            error: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type StreamEvent = components['schemas']['StreamEvent'];
export type TokenEvent = components['schemas']['TokenEvent'];
export type ActionStartEvent = components['schemas']['ActionStartEvent'];
export type ActionCompleteEvent = components['schemas']['ActionCompleteEvent'];
export type GateTriggeredEvent = components['schemas']['GateTriggeredEvent'];
export type Presentation = components['schemas']['Presentation'];
export type CustomerMessage = components['schemas']['CustomerMessage'];
export type ChatReply = components['schemas']['ChatReply'];
export type DoneEvent = components['schemas']['DoneEvent'];
export type ErrorEvent = components['schemas']['ErrorEvent'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

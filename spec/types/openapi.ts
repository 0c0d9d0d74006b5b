// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/api/v1/chat/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one customer message to one agent.
         * @description A billable turn needs an idempotency key, in the body or in one of two headers. The same request sent
         *     again with a completed key is answered from the record and runs nothing.
         */
        post: operations["sendChatMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A button of the latest presentation, copied from it. How one that was never offered is refused is open, so the schema lets every selection through. */
        Interaction: {
            /**
             * @description `workflow_button`.
             * @example workflow_button
             */
            type: string;
            /** @description Copied as it came. */
            runId?: unknown;
            /** @description Copied as it came. */
            nodeId?: unknown;
            /** @description Copied as it came. */
            payload?: unknown;
        };
        /** @description One customer message. Members that are not listed are neither promised nor forbidden. */
        ChatRequest: {
            /** @description What the customer says; needed with an interaction too. The lengths count code points. */
            message: string;
            /**
             * Format: uuid
             * @description The conversation to go on with; without it a new one begins.
             */
            conversation_id?: string;
            /**
             * @description True asks for Server-Sent Events instead of JSON.
             * @default false
             */
            stream?: boolean;
            /** @description Needed for a billable turn, here or in one of the two headers. */
            idempotency_key?: string;
            interaction?: components["schemas"]["Interaction"];
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
        /** @description A refusal or failure: a flat object with a text `error`, not a receipt. Where its code stands is open. */
        ChatErrorBody: {
            /** @description The code, or a sentence. */
            error: string;
            /** @description The same in words, where `error` is a code. */
            message?: string;
            /** @description The code, where `error` is a sentence. */
            code?: string;
            /** @description The code, where `error` is a sentence. */
            error_code?: string;
        };
        /** @description A 402. The two amounts are there when they are known. */
        InsufficientCreditsBody: components["schemas"]["ChatErrorBody"] & {
            credits_required?: number;
            credits_remaining?: number;
        };
        /** @description A 429. The client backs off before it tries again. */
        RateLimitBody: components["schemas"]["ChatErrorBody"] & {
            retry_after_seconds: number;
            limit: number;
            remaining: number;
        };
    };
    responses: never;
    parameters: {
        /** @example agent_support */
        agentId: string;
        /**
         * @description The idempotency key, when the body has none.
         * @example order-1001-turn-1
         */
        idempotencyKey: string;
        /**
         * @description Another name for the same header.
         * @example order-1001-turn-1
         */
        xIdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description On a replay only.
         * @example true
         */
        IdempotentReplay: "true";
        /**
         * @description Requests allowed a minute. What this header is called is open.
         * @example 60
         */
        RateLimit: string;
        /**
         * @description Requests left in this minute. What this header is called is open.
         * @example 59
         */
        RateRemaining: string;
        /**
         * @description When the count begins anew. What this header is called is open.
         * @example 1767225660
         */
        RateReset: string;
    };
    pathItems: never;
}
export type Interaction = components['schemas']['Interaction'];
export type ChatRequest = components['schemas']['ChatRequest'];
export type Presentation = components['schemas']['Presentation'];
export type CustomerMessage = components['schemas']['CustomerMessage'];
export type ChatReply = components['schemas']['ChatReply'];
export type ChatErrorBody = components['schemas']['ChatErrorBody'];
export type InsufficientCreditsBody = components['schemas']['InsufficientCreditsBody'];
export type RateLimitBody = components['schemas']['RateLimitBody'];
export type ParameterAgentId = components['parameters']['agentId'];
export type ParameterIdempotencyKey = components['parameters']['idempotencyKey'];
export type ParameterXIdempotencyKey = components['parameters']['xIdempotencyKey'];
export type HeaderIdempotentReplay = components['headers']['IdempotentReplay'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateRemaining = components['headers']['RateRemaining'];
export type HeaderRateReset = components['headers']['RateReset'];
export type $defs = Record<string, never>;
export interface operations {
    sendChatMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The idempotency key, when the body has none.
                 * @example order-1001-turn-1
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /**
                 * @description Another name for the same header.
                 * @example order-1001-turn-1
                 */
                "X-Idempotency-Key"?: components["parameters"]["xIdempotencyKey"];
            };
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description The reply, complete or as a stream, also when it is replayed. */
            200: {
                headers: {
                    "X-Service-Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatReply"];
                    "text/event-stream": string;
                };
            };
            /** @description The body breaks a rule, or no idempotency key came with it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
            /** @description The API key is missing or not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
            /** @description The credits left do not cover the turn. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCreditsBody"];
                };
            };
            /** @description The key lacks `chat` or is outside its agent scope, or the plan does not allow the agent. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
            /** @description There is no such agent. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
            /** @description The key, the pause or the button does not allow this turn now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
            /** @description The API key has used up its requests of the minute. */
            429: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitBody"];
                };
            };
            /** @description The server failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
            /** @description The service is not available for now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatErrorBody"];
                };
            };
        };
    };
}

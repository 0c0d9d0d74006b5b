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
    "/api/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the operations that the calling key may use. */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operation-executions/{operationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As discovery lists it.
                 * @example agent_setup.inspect
                 */
                operationId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a permitted operation that has no route of its own.
         * @description A write that is sent again takes the same idempotency key with it. What carries that key, and which
         *     status comes with which receipt, is not shown.
         */
        post: operations["executeOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example task_1 */
                taskId: string;
            };
            cookie?: never;
        };
        /** Read a durable task. */
        get: operations["readTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example appr_1 */
                approvalId: string;
            };
            cookie?: never;
        };
        /** Read an approval receipt. */
        get: operations["readApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the usage. */
        get: operations["readBillingUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
            };
            cookie?: never;
        };
        /** List the webhooks of an agent. */
        get: operations["listWebhooks"];
        put?: never;
        /** Create a webhook. */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook for good.
         * @description Deliveries under way may still complete.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Change the name, endpoint, events or custom headers. */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/agents/{agentId}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a sample event at once. */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/webhooks/{webhookId}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        /** Read the history of deliveries. */
        get: operations["listWebhookLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agent_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message, in the older variant.
         * @deprecated
         */
        post: operations["sendOlderMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example conv_1 */
                conversation_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a conversation, in the older variant.
         * @deprecated
         */
        get: operations["readOlderConversation"];
        put?: never;
        post?: never;
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
        /**
         * Interaction
         * @description A button of the latest presentation, copied from it. How one that was never offered is refused is open, so the schema lets every selection through.
         */
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
        /**
         * ChatRequest
         * @description One customer message. Members that are not listed are neither promised nor forbidden.
         */
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
         * ChatErrorBody
         * @description A refusal or failure: a flat object with a text `error`, not a receipt. Where its code stands is open.
         */
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
        /**
         * InsufficientCreditsBody
         * @description A 402. The two amounts are there when they are known.
         */
        InsufficientCreditsBody: components["schemas"]["ChatErrorBody"] & {
            credits_required?: number;
            credits_remaining?: number;
        };
        /**
         * RateLimitBody
         * @description A 429. The client backs off before it tries again.
         */
        RateLimitBody: components["schemas"]["ChatErrorBody"] & {
            retry_after_seconds: number;
            limit: number;
            remaining: number;
        };
        /**
         * Discovery
         * @description The operations that the calling key may use, with an input schema for each. Nothing else is shown.
         */
        Discovery: unknown;
        /**
         * OperationErrorBody
         * @description A refusal by a route of the operations catalog. Its shape is not shown.
         */
        OperationErrorBody: {
            [key: string]: unknown;
        };
        /**
         * ExecutionRequest
         * @description The input that discovery describes for the operation, in an envelope that is not shown.
         */
        ExecutionRequest: {
            [key: string]: unknown;
        };
        /**
         * CompletedReceipt
         * @description The work is done.
         */
        CompletedReceipt: {
            /** @constant */
            status: "completed";
            /** @description The result, of whatever type the operation has. */
            data: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * AcceptedReceipt
         * @description The work goes on as a task; where the receipt names that task is not shown.
         */
        AcceptedReceipt: {
            /** @constant */
            status: "accepted";
        } & {
            [key: string]: unknown;
        };
        /**
         * PendingApprovalReceipt
         * @description The work waits for the owner; where the receipt names the approval is not shown.
         */
        PendingApprovalReceipt: {
            /** @constant */
            status: "pending_approval";
        } & {
            [key: string]: unknown;
        };
        /**
         * FailedReceipt
         * @description The work failed; the receipt says why and how to recover.
         */
        FailedReceipt: {
            /** @constant */
            status: "failed";
            error: {
                /**
                 * @example OUTCOME_UNCERTAIN
                 * @example UPLOAD_RENEWAL_INCOMPLETE
                 */
                code: string;
                /** @description What to do about it; its type is not shown. */
                resolution: unknown;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * OperationReceipt
         * @description What comes of an executed operation.
         */
        OperationReceipt: components["schemas"]["CompletedReceipt"] | components["schemas"]["AcceptedReceipt"] | components["schemas"]["PendingApprovalReceipt"] | components["schemas"]["FailedReceipt"];
        /**
         * UnfinishedReceipt
         * @description Work that goes on, or waits.
         */
        UnfinishedReceipt: components["schemas"]["AcceptedReceipt"] | components["schemas"]["PendingApprovalReceipt"];
        /**
         * TaskState
         * @description The last three are final.
         * @enum {string}
         */
        TaskState: "queued" | "running" | "input_required" | "completed" | "failed" | "cancelled";
        /**
         * Task
         * @description Durable work that outlives the request that began it.
         */
        Task: {
            state: components["schemas"]["TaskState"];
        } & {
            [key: string]: unknown;
        };
        /**
         * Approval
         * @description What became of a request to the owner. No member is shown.
         */
        Approval: {
            [key: string]: unknown;
        };
        /** BillingUsage */
        BillingUsage: {
            credits: {
                remaining: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * CustomHeaders
         * @description Header names with their values, sent with every delivery.
         */
        CustomHeaders: {
            [key: string]: string;
        };
        /**
         * Webhook
         * @description A webhook as it is listed, without its secret.
         */
        Webhook: {
            id: string;
            /** @description For display. */
            name: string;
            endpoint_url: string;
            /** @description A name here need not be selectable any more. */
            events: string[];
            description?: string;
            custom_headers?: components["schemas"]["CustomHeaders"];
            /** @description Can be turned off from the dashboard. */
            is_active: boolean;
            /** @description The masked secret. */
            secret_key_preview?: string;
            /**
             * Format: date-time
             * @description UTC.
             */
            created_at: string;
        };
        /** WebhookList */
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * WebhookErrorBody
         * @description A refusal by a management route. Its shape is not shown.
         */
        WebhookErrorBody: {
            [key: string]: unknown;
        };
        /**
         * WebhookEventName
         * @enum {string}
         */
        WebhookEventName: "leads.submit" | "message.sent" | "tool.executed" | "booking.created" | "booking.cancelled" | "booking.rescheduled" | "order.confirmed" | "custom_form.submitted" | "payment.proof_received" | "payment.verification_pending" | "payment.verified" | "payment.rejected" | "record.created" | "procedure.alert.created" | "procedure.approval.requested" | "procedure.approval.resolved" | "procedure.handoff.requested" | "procedure.escalated";
        /**
         * CreateWebhookRequest
         * @description Which members a creation needs is not shown.
         */
        CreateWebhookRequest: {
            name?: string;
            /** @description HTTPS; localhost may do without in development. */
            endpoint_url?: string;
            events?: components["schemas"]["WebhookEventName"][];
            description?: string;
            custom_headers?: components["schemas"]["CustomHeaders"];
        };
        /**
         * CreatedWebhook
         * @description The only answer that has the secret.
         */
        CreatedWebhook: {
            id: string;
            /** @description Keys the signature of every delivery. */
            secret_key: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * WebhookDeleteBody
         * @description The answer to a removal. Its shape is not shown.
         */
        WebhookDeleteBody: unknown;
        /** UpdateWebhookRequest */
        UpdateWebhookRequest: {
            name?: string;
            endpoint_url?: string;
            events?: components["schemas"]["WebhookEventName"][];
            custom_headers?: components["schemas"]["CustomHeaders"];
        };
        /**
         * WebhookUpdateBody
         * @description The answer to an update. Its shape is not shown.
         */
        WebhookUpdateBody: unknown;
        /**
         * WebhookTestBody
         * @description The answer to a sample event. Its shape is not shown.
         */
        WebhookTestBody: unknown;
        /**
         * WebhookLogs
         * @description The deliveries of a webhook: of each the event type, when it was, the status the endpoint gave, how long that took, whether it succeeded, and how often it was retried. No name is shown.
         */
        WebhookLogs: unknown;
        /** OlderChatRequest */
        OlderChatRequest: {
            message: string;
            conversation_id?: string;
            metadata?: {
                [key: string]: unknown;
            };
            /** @default false */
            stream?: boolean;
        };
        /** OlderSource */
        OlderSource: {
            type: string;
            title: string;
            relevance: number;
        };
        /** OlderChatReply */
        OlderChatReply: {
            response: string;
            conversation_id: string;
            message_id: string;
            confidence: number;
            sources: components["schemas"]["OlderSource"][];
            credits_used: number;
        };
        /** OlderErrorBody */
        OlderErrorBody: {
            error: {
                code: string;
                message: string;
                retry_after?: number | null;
            };
        };
        /** OlderConversation */
        OlderConversation: {
            id: string;
            agent_id: string;
            created_at: string;
            messages: {
                role: string;
                content: string;
                timestamp: string;
            }[];
        };
    };
    responses: {
        /** @description The input is not valid. */
        OperationInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description The API key is missing or not valid. */
        OperationNoKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description The key lacks the scope. */
        OperationForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description There is no such operation, task or approval. */
        OperationNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description The idempotency key was used for something else, or its first request still runs. */
        OperationConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description Too many requests; the limits of these routes are not shown. */
        OperationLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description The server failed. */
        OperationServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description The service is not available for now. */
        OperationUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperationErrorBody"];
            };
        };
        /** @description The body is not valid, or its endpoint is not allowed. */
        WebhookInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description The same refusal, with the other status it may have. */
        WebhookUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description The plan has no webhooks. */
        WebhookPlan: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description There is no session of a signed-in user. */
        WebhookNoSession: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description A project key, another owner, or a plan without webhooks. */
        WebhookForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description There is no such agent or webhook. */
        WebhookNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description Too many requests; the limits of these routes are not shown. */
        WebhookLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description The server failed. */
        WebhookServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookErrorBody"];
            };
        };
        /** @description The body is not valid. */
        OlderInvalid: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OlderErrorBody"];
            };
        };
        /** @description The key is not valid. */
        OlderNoKey: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OlderErrorBody"];
            };
        };
        /** @description The key lacks the permission. */
        OlderForbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OlderErrorBody"];
            };
        };
        /** @description There is no such agent or conversation. */
        OlderNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OlderErrorBody"];
            };
        };
        /** @description Too many requests. */
        OlderLimited: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OlderErrorBody"];
            };
        };
        /** @description The server failed. */
        OlderServerError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OlderErrorBody"];
            };
        };
    };
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
        /**
         * @description The idempotency key of a write. What carries it is not shown; this is as on the chat route.
         * @example inspect-1
         */
        operationKey: string;
        /**
         * @description Another name for the same header.
         * @example inspect-1
         */
        operationXKey: string;
        /** @example wh_1 */
        webhookId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Requests allowed.
         * @example 60
         */
        OlderRateLimit: string;
        /**
         * @description Requests left.
         * @example 59
         */
        OlderRateRemaining: string;
        /**
         * @description When the count begins anew, as a Unix timestamp.
         * @example 1767225660
         */
        OlderRateReset: string;
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
    listOperations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operations, with an input schema for each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discovery"];
                };
            };
            401: components["responses"]["OperationNoKey"];
            403: components["responses"]["OperationForbidden"];
            429: components["responses"]["OperationLimited"];
            500: components["responses"]["OperationServerError"];
            503: components["responses"]["OperationUnavailable"];
        };
    };
    executeOperation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The idempotency key of a write. What carries it is not shown; this is as on the chat route.
                 * @example inspect-1
                 */
                "Idempotency-Key"?: components["parameters"]["operationKey"];
                /**
                 * @description Another name for the same header.
                 * @example inspect-1
                 */
                "X-Idempotency-Key"?: components["parameters"]["operationXKey"];
            };
            path: {
                /**
                 * @description As discovery lists it.
                 * @example agent_setup.inspect
                 */
                operationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutionRequest"];
            };
        };
        responses: {
            /** @description A receipt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationReceipt"];
                };
            };
            /** @description A receipt of work that is not finished. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfinishedReceipt"];
                };
            };
            400: components["responses"]["OperationInvalid"];
            401: components["responses"]["OperationNoKey"];
            403: components["responses"]["OperationForbidden"];
            404: components["responses"]["OperationNotFound"];
            409: components["responses"]["OperationConflict"];
            /** @description A receipt of work that failed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedReceipt"];
                };
            };
            429: components["responses"]["OperationLimited"];
            500: components["responses"]["OperationServerError"];
            503: components["responses"]["OperationUnavailable"];
        };
    };
    readTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example task_1 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: components["responses"]["OperationNoKey"];
            403: components["responses"]["OperationForbidden"];
            404: components["responses"]["OperationNotFound"];
            429: components["responses"]["OperationLimited"];
            500: components["responses"]["OperationServerError"];
            503: components["responses"]["OperationUnavailable"];
        };
    };
    readApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example appr_1 */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            401: components["responses"]["OperationNoKey"];
            403: components["responses"]["OperationForbidden"];
            404: components["responses"]["OperationNotFound"];
            429: components["responses"]["OperationLimited"];
            500: components["responses"]["OperationServerError"];
            503: components["responses"]["OperationUnavailable"];
        };
    };
    readBillingUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingUsage"];
                };
            };
            401: components["responses"]["OperationNoKey"];
            403: components["responses"]["OperationForbidden"];
            429: components["responses"]["OperationLimited"];
            500: components["responses"]["OperationServerError"];
            503: components["responses"]["OperationUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks, their secrets masked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            401: components["responses"]["WebhookNoSession"];
            402: components["responses"]["WebhookPlan"];
            403: components["responses"]["WebhookForbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["WebhookLimited"];
            500: components["responses"]["WebhookServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook was created. Whether this status or 201 says so is not shown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            /** @description The webhook was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["WebhookInvalid"];
            401: components["responses"]["WebhookNoSession"];
            402: components["responses"]["WebhookPlan"];
            403: components["responses"]["WebhookForbidden"];
            404: components["responses"]["WebhookNotFound"];
            422: components["responses"]["WebhookUnprocessable"];
            429: components["responses"]["WebhookLimited"];
            500: components["responses"]["WebhookServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleteBody"];
                };
            };
            /** @description It was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["WebhookNoSession"];
            402: components["responses"]["WebhookPlan"];
            403: components["responses"]["WebhookForbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["WebhookLimited"];
            500: components["responses"]["WebhookServerError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description It was changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookUpdateBody"];
                };
            };
            /** @description It was changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["WebhookInvalid"];
            401: components["responses"]["WebhookNoSession"];
            402: components["responses"]["WebhookPlan"];
            403: components["responses"]["WebhookForbidden"];
            404: components["responses"]["WebhookNotFound"];
            422: components["responses"]["WebhookUnprocessable"];
            429: components["responses"]["WebhookLimited"];
            500: components["responses"]["WebhookServerError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestBody"];
                };
            };
            /** @description It is being sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was sent. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["WebhookNoSession"];
            402: components["responses"]["WebhookPlan"];
            403: components["responses"]["WebhookForbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["WebhookLimited"];
            500: components["responses"]["WebhookServerError"];
        };
    };
    listWebhookLogs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agentId: components["parameters"]["agentId"];
                /** @example wh_1 */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookLogs"];
                };
            };
            401: components["responses"]["WebhookNoSession"];
            402: components["responses"]["WebhookPlan"];
            403: components["responses"]["WebhookForbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["WebhookLimited"];
            500: components["responses"]["WebhookServerError"];
        };
    };
    sendOlderMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example agent_support */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OlderChatRequest"];
            };
        };
        responses: {
            /** @description The reply, complete or as a stream. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                    "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OlderChatReply"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["OlderInvalid"];
            401: components["responses"]["OlderNoKey"];
            403: components["responses"]["OlderForbidden"];
            404: components["responses"]["OlderNotFound"];
            429: components["responses"]["OlderLimited"];
            500: components["responses"]["OlderServerError"];
        };
    };
    readOlderConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example conv_1 */
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["OlderRateLimit"];
                    "X-RateLimit-Remaining": components["headers"]["OlderRateRemaining"];
                    "X-RateLimit-Reset": components["headers"]["OlderRateReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OlderConversation"];
                };
            };
            401: components["responses"]["OlderNoKey"];
            403: components["responses"]["OlderForbidden"];
            404: components["responses"]["OlderNotFound"];
            429: components["responses"]["OlderLimited"];
            500: components["responses"]["OlderServerError"];
        };
    };
}

export type AcceptedReceipt = components['schemas']['AcceptedReceipt']
export type Approval = components['schemas']['Approval']
export type BillingUsage = components['schemas']['BillingUsage']
export type ChatErrorBody = components['schemas']['ChatErrorBody']
export type ChatReply = components['schemas']['ChatReply']
export type ChatRequest = components['schemas']['ChatRequest']
export type CompletedReceipt = components['schemas']['CompletedReceipt']
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest']
export type CreatedWebhook = components['schemas']['CreatedWebhook']
export type CustomHeaders = components['schemas']['CustomHeaders']
export type CustomerMessage = components['schemas']['CustomerMessage']
export type Discovery = components['schemas']['Discovery']
export type ExecutionRequest = components['schemas']['ExecutionRequest']
export type FailedReceipt = components['schemas']['FailedReceipt']
export type InsufficientCreditsBody = components['schemas']['InsufficientCreditsBody']
export type Interaction = components['schemas']['Interaction']
export type OlderChatReply = components['schemas']['OlderChatReply']
export type OlderChatRequest = components['schemas']['OlderChatRequest']
export type OlderConversation = components['schemas']['OlderConversation']
export type OlderErrorBody = components['schemas']['OlderErrorBody']
export type OlderSource = components['schemas']['OlderSource']
export type OperationErrorBody = components['schemas']['OperationErrorBody']
export type OperationReceipt = components['schemas']['OperationReceipt']
export type PendingApprovalReceipt = components['schemas']['PendingApprovalReceipt']
export type Presentation = components['schemas']['Presentation']
export type RateLimitBody = components['schemas']['RateLimitBody']
export type Task = components['schemas']['Task']
export type TaskState = components['schemas']['TaskState']
export type UnfinishedReceipt = components['schemas']['UnfinishedReceipt']
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest']
export type Webhook = components['schemas']['Webhook']
export type WebhookDeleteBody = components['schemas']['WebhookDeleteBody']
export type WebhookErrorBody = components['schemas']['WebhookErrorBody']
export type WebhookEventName = components['schemas']['WebhookEventName']
export type WebhookList = components['schemas']['WebhookList']
export type WebhookLogs = components['schemas']['WebhookLogs']
export type WebhookTestBody = components['schemas']['WebhookTestBody']
export type WebhookUpdateBody = components['schemas']['WebhookUpdateBody']

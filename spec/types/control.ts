// Generated from spec/control.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say whether the simulator is ready. */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document that describes this simulator.
         * @description Each is self-contained, and has the identifiers of the vendor that the simulator was started with. The server in it is the one that it was read from.
         */
        get: operations["readDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /**
         * Describe what this tenant supports.
         * @description Another server answers with the members of the control protocol only.
         */
        get: operations["readTenant"];
        put?: never;
        post?: never;
        /** Delete a tenant. */
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        /** Switch faults, variants and interpretations. */
        patch: operations["updateTenant"];
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/states/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /**
                 * @description Id of a state, as spec/states.ts lists them.
                 * @example chat.paused
                 */
                state: components["parameters"]["state"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a state about. */
        post: operations["enterState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/states/{state}/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /**
                 * @description Id of a state, as spec/states.ts lists them.
                 * @example chat.paused
                 */
                state: components["parameters"]["state"];
                /** @example s_1 */
                handle: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Leave a state. */
        delete: operations["leaveState"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let time pass at once.
         * @description Work that falls due is done in order; the answer comes when it has settled.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** Say what time it is. */
        get: operations["readClock"];
        /** Set how time goes. */
        put: operations["setClock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tenants that this process runs. */
        get: operations["listTenants"];
        put?: never;
        /** Create a tenant. */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** Read keys, sessions and ids of the tenant, as its creation returned them. */
        get: operations["readCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a tenant.
         * @description Back to its initial state and to no modifications. Ids, keys and the clock stay. Turns and operations in flight
         *     end as in a crash of the service: their connections are closed, and nothing of them is stored.
         */
        post: operations["resetTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /**
         * Download the state of a tenant.
         * @description One document with everything that the tenant contains, its seed, API keys and webhook secrets among it. It has no
         *     journal, and nothing that faults and variants have counted.
         */
        get: operations["downloadSnapshot"];
        /**
         * Restore a tenant from a document of its own.
         * @description Clears the journal, barriers and entered states. For a document of another tenant, create a tenant.
         */
        put: operations["restoreDocument"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the snapshots of a tenant that are saved under a name. */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example before-checkout */
                name: components["parameters"]["snapshotName"];
            };
            cookie?: never;
        };
        /** Download a saved snapshot. */
        get: operations["readSnapshot"];
        /**
         * Save the state of a tenant under a name.
         * @description In memory, for as long as this process runs the tenant. Replaces a snapshot of the same name.
         */
        put: operations["saveSnapshot"];
        post?: never;
        /** Delete a saved snapshot. */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example before-checkout */
                name: components["parameters"]["snapshotName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a tenant from a saved snapshot.
         * @description Clears the journal, barriers and entered states. Attempts of deliveries in flight are aborted. Turns and operations
         *     in flight are not: wait for them, or reset the tenant first, which ends them.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example agent_plain */
                agentId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Pause AI replies, or take an agent out of the plan. */
        patch: operations["updateTenantAgent"];
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example acc_main */
                accountId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Set the credits or the plan of an account. */
        patch: operations["updateTenantAccount"];
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/reply-rules": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the active reply rules. */
        get: operations["listReplyRules"];
        /**
         * Add reply rules.
         * @description They are matched before the reply rules that are there.
         */
        put: operations["setReplyRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/network-faults": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the pending network faults. */
        get: operations["listNetworkFaults"];
        put?: never;
        /**
         * Say what happens to requests and answers on their way.
         * @description On top of what there is. All that a request meets are set off by it, and each counts for itself.
         */
        post: operations["addNetworkFaults"];
        /** Let requests and answers through as they are. */
        delete: operations["clearNetworkFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the pending failures. */
        get: operations["listFailures"];
        put?: never;
        /** Answer the next requests with a server error. */
        post: operations["addFailure"];
        /** Remove the server errors that were not met. */
        delete: operations["clearFailures"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the prepared uploads. */
        get: operations["listUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/uploads/lapse": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a prepared upload expire now. */
        post: operations["lapseUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/situations/{situation}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example rate-limit */
                situation: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the tenant into a situation.
         * @description The response has the keys and ids that a client needs, and the requests that show the situation.
         */
        post: operations["prepareSituation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the idempotency keys of chat turns. */
        get: operations["listKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the turns in flight. */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the webhooks and how their endpoints do. */
        get: operations["listTenantWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a webhook event happen. */
        post: operations["emitEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the deliveries that are remembered, with their attempts. */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example whd_1 */
                deliveryId: string;
            };
            cookie?: never;
        };
        /**
         * List what the attempts of a delivery sent, byte for byte.
         * @description The newest attempts of the tenant are remembered, in memory.
         */
        get: operations["listSentAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/again": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example whd_1 */
                deliveryId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event once more.
         * @description Under the same id it is the duplicate that a receiver has to drop; otherwise a delivery of its own.
         */
        post: operations["sendAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the operations that wait, or waited, for the owner. */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example appr_1 */
                approvalId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide as the owner. */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the tasks. */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example task_1 */
                taskId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a task on, as the owner or as time would. */
        post: operations["stepTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/barriers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** List the barriers and how many turns each holds. */
        get: operations["listBarriers"];
        put?: never;
        /** Hold turns at a point. */
        post: operations["createBarrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/reached": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example b_1 */
                barrierId: components["parameters"]["barrierId"];
            };
            cookie?: never;
        };
        /** Wait until so many turns have come to it. */
        get: operations["awaitBarrier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example b_1 */
                barrierId: components["parameters"]["barrierId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let the turns go on, and take the barrier away. */
        post: operations["releaseBarrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/crash": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example b_1 */
                barrierId: components["parameters"]["barrierId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the turns die where they are, and take the barrier away.
         * @description Their connections are cut, as if the process had died.
         */
        post: operations["crashBarrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** Read what was asked and answered. */
        get: operations["readJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/journal/wait": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /** Wait until so many entries fit. */
        get: operations["awaitJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/tenants/{tenantId}/journal/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        /**
         * Follow the journal as events.
         * @description Sends the events of every entry that begins after `Last-Event-ID`, or `since`, or else the newest one. It
         *     ends with the tenant, and when the simulator shuts down. After 15 s without an event, there is a comment.
         *     A client that reads slowly delays no turn: it receives what the journal still has, and `lost`.
         */
        get: operations["followJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliberate defects. */
        get: operations["listFaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/situations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the situations. */
        get: operations["listSituations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the unusual but conforming behaviours. */
        get: operations["listVariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/v1/interpretations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what the contract leaves open, and how it can be read. */
        get: operations["listInterpretations"];
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
         * JournalEvent
         * @description One event of a journal that is followed.
         */
        JournalEvent: components["schemas"]["JournalRequestEvent"] | components["schemas"]["JournalHeadersEvent"] | components["schemas"]["JournalChunkEvent"] | components["schemas"]["JournalEndEvent"] | components["schemas"]["JournalLostEvent"] | components["schemas"]["JournalClearedEvent"];
        /** Health */
        Health: {
            /**
             * @description `draining`: it is about to end. `store-away`: nothing can be kept now, and so everything is refused.
             * @enum {unknown}
             */
            status: "ok" | "draining" | "store-away";
        };
        /** ControlErrorBody */
        ControlErrorBody: {
            /** @description What failed, and what to do. */
            error: string;
        };
        /**
         * ControlProtocol
         * @description What this tenant supports.
         */
        ControlProtocol: {
            /** @constant */
            protocol: "touchstone-control/1";
            /** @description The states that can be entered. */
            states: string[];
            /** @description Whether its clock can be advanced. */
            clock: boolean;
        };
        /**
         * Vendor
         * @description What the service writes where the contract has `service`: letters and digits, with hyphens between. Default: that of the simulator.
         * @example acme
         */
        Vendor: string;
        /**
         * Identifiers
         * @description Every exact identifier with the vendor's word in it.
         */
        Identifiers: {
            replayHeader: string;
            signatureHeader: string;
            deliveryIdHeader: string;
            eventHeader: string;
            userAgent: string;
            baseUrlVariable: string;
            apiKeyVariable: string;
            profileFolder: string;
        };
        /** Names */
        Names: string[];
        /**
         * ChosenInterpretations
         * @description Gap ids with the id of the interpretation to follow.
         */
        ChosenInterpretations: {
            [key: string]: string;
        };
        /** TenantAgent */
        TenantAgent: {
            id: string;
            name: string;
            /** @description AI replies are paused. */
            paused: boolean;
            /** @description The plan allows this agent. */
            allowed: boolean;
        };
        /** TenantAccount */
        TenantAccount: {
            id: string;
            credits: number;
            /** @description Webhook settings come with `business`, `enterprise` and `trial`. */
            plan: string;
        };
        /**
         * TenantState
         * @description What the control protocol says of this tenant, and what the simulator knows besides.
         */
        TenantState: components["schemas"]["ControlProtocol"] & {
            id: string;
            seed: string;
            vendor: components["schemas"]["Vendor"];
            identifiers: components["schemas"]["Identifiers"];
            faults: components["schemas"]["Names"];
            variants: components["schemas"]["Names"];
            interpretations: components["schemas"]["ChosenInterpretations"];
            agents: components["schemas"]["TenantAgent"][];
            accounts: components["schemas"]["TenantAccount"][];
        };
        /** DeletedTenant */
        DeletedTenant: {
            /** @description Id of the tenant. */
            deleted: string;
        };
        /**
         * TaskAtOnce
         * @description It is at its end before anybody reads it, unless it asks for input.
         */
        TaskAtOnce: {
            /** @constant */
            by: "at-once";
        };
        /**
         * TaskByTime
         * @description So many milliseconds in each state, on the clock of the tenant.
         */
        TaskByTime: {
            /** @constant */
            by: "time";
            stepMs: number;
        };
        /**
         * TaskByReads
         * @description Each state is shown so often; then comes the next.
         */
        TaskByReads: {
            /** @constant */
            by: "reads";
            reads: number;
        };
        /**
         * TaskByHand
         * @description Only the owner moves it on.
         */
        TaskByHand: {
            /** @constant */
            by: "hand";
        };
        /**
         * TaskPace
         * @description What moves a task to its next state.
         */
        TaskPace: components["schemas"]["TaskAtOnce"] | components["schemas"]["TaskByTime"] | components["schemas"]["TaskByReads"] | components["schemas"]["TaskByHand"];
        /**
         * TenantUpdate
         * @description A member that is there replaces what was set before.
         */
        TenantUpdate: {
            faults?: components["schemas"]["Names"];
            variants?: components["schemas"]["Names"];
            interpretations?: components["schemas"]["ChosenInterpretations"];
            tasks?: components["schemas"]["TaskPace"];
        };
        /**
         * StateRequest
         * @description For whom the state is wanted. What does not concern the state is ignored.
         */
        StateRequest: {
            agentId?: string;
            idempotencyKey?: string;
            /** @description Name of a principal of the target file. */
            principal?: string;
            /** @description How long, for a state that lasts. */
            milliseconds?: number;
            /** @description Of the webhook that the state is about. */
            webhookId?: string;
            /** @description Of the approval that the state is about. */
            approvalId?: string;
            /** @description Of the task that the state is about. */
            taskId?: string;
            message?: string;
        };
        /**
         * StateSetting
         * @description What to send to meet the state; a member that is missing makes no difference.
         */
        StateSetting: {
            agentId?: string;
            message?: string;
            principal?: string;
        };
        /** EnteredState */
        EnteredState: {
            /** @description Leaves the state again. */
            handle: string;
            setting: components["schemas"]["StateSetting"];
        };
        /** LeftState */
        LeftState: {
            left: {
                state: string;
                handle: string;
            };
        };
        /** AdvanceRequest */
        AdvanceRequest: {
            ms: number;
        };
        /**
         * Advanced
         * @description All work that fell due in between is done.
         */
        Advanced: {
            /** Format: date-time */
            now: string;
            /** @description How many timers fell due. */
            fired: number;
            /** @description Optional: in how many milliseconds on this clock the next work falls due, as far as it is known now; null where none waits. Whoever steps through a long time then needs no step before it. */
            nextInMs?: number | null;
        };
        /** RealClock */
        RealClock: {
            /** @constant */
            mode: "real";
        };
        /**
         * FrozenClock
         * @description Stands still until it is advanced.
         */
        FrozenClock: {
            /** @constant */
            mode: "frozen";
            /**
             * Format: date-time
             * @description Where it stands; without it, now.
             */
            at?: string;
        };
        /**
         * OffsetClock
         * @description Goes with the real one, so far ahead of it.
         */
        OffsetClock: {
            /** @constant */
            mode: "offset";
            ms: number;
        };
        /**
         * ScaledClock
         * @description Goes so many times as fast as the real one, from now on.
         */
        ScaledClock: {
            /** @constant */
            mode: "scaled";
            factor: number;
        };
        /**
         * ClockSetting
         * @description How the time of a tenant goes.
         */
        ClockSetting: components["schemas"]["RealClock"] | components["schemas"]["FrozenClock"] | components["schemas"]["OffsetClock"] | components["schemas"]["ScaledClock"];
        /** ClockState */
        ClockState: {
            /** Format: date-time */
            now: string;
            setting: components["schemas"]["ClockSetting"];
            /** @description How many timers wait. */
            pending?: number;
            /** @description In how many milliseconds on this clock the next work falls due; null where none waits. */
            nextInMs?: number | null;
        };
        /** ListedTenant */
        ListedTenant: {
            id: string;
            seed: string;
            vendor: components["schemas"]["Vendor"];
            /** @description It answers requests without known credentials. */
            isDefault: boolean;
            /** @description Path of the control base of this tenant. */
            control: string;
            faults: components["schemas"]["Names"];
            variants: components["schemas"]["Names"];
        };
        /** TenantList */
        TenantList: {
            tenants: components["schemas"]["ListedTenant"][];
        };
        /**
         * ChosenIdentifiers
         * @description Identifiers that do not follow from the vendor's word.
         */
        ChosenIdentifiers: {
            replayHeader?: string;
            signatureHeader?: string;
            deliveryIdHeader?: string;
            eventHeader?: string;
            userAgent?: string;
            baseUrlVariable?: string;
            apiKeyVariable?: string;
            profileFolder?: string;
        };
        /** MessagePart */
        MessagePart: {
            contains: string;
        };
        /**
         * ReplyMatch
         * @description All members have to match; without members, every turn matches.
         */
        ReplyMatch: {
            /** @description Name or id of the agent. */
            agent?: string;
            /** @description The whole message, or a part of it. */
            message?: string | components["schemas"]["MessagePart"];
            /** @description Number of the turn in its conversation, from 1. */
            nth?: number;
            /** @description Number of buttons pressed in a row since the last plain message; a list allows several numbers. */
            pressed?: number | number[];
        };
        /**
         * ReplyAction
         * @description A tool that runs before the reply.
         */
        ReplyAction: {
            actionName: string;
            /** @description Default: true. */
            success?: boolean;
        };
        /** ReplyGate */
        ReplyGate: {
            decision: string;
            reason: string;
        };
        /** ReplyPresentation */
        ReplyPresentation: {
            messages?: string[];
            /** @description Labels. With at least one button the turn can be continued. */
            buttons?: string[];
            /** @description URLs. */
            images?: string[];
            /** @description URLs. */
            media?: string[];
        };
        /**
         * ReplyError
         * @description The turn fails: a stream after this many tokens, a plain response with a 500.
         */
        ReplyError: {
            afterTokens: number;
            text: string;
        };
        /**
         * ReplyEventName
         * @enum {string}
         */
        ReplyEventName: "leads.submit" | "message.sent" | "tool.executed" | "booking.created" | "booking.cancelled" | "booking.rescheduled" | "order.confirmed" | "custom_form.submitted" | "payment.proof_received" | "payment.verification_pending" | "payment.verified" | "payment.rejected" | "record.created" | "procedure.alert.created" | "procedure.approval.requested" | "procedure.approval.resolved" | "procedure.handoff.requested" | "procedure.escalated";
        /** ReplyEventWithPayload */
        ReplyEventWithPayload: {
            event: components["schemas"]["ReplyEventName"];
            /** @description Default: a sample payload. */
            payload?: {
                [key: string]: unknown;
            };
        };
        /**
         * ReplyEvent
         * @description The name of an event, or the name with a payload.
         */
        ReplyEvent: components["schemas"]["ReplyEventName"] | components["schemas"]["ReplyEventWithPayload"];
        /** CannedReply */
        CannedReply: {
            /** @description The reply. Default: the tokens, joined. */
            text?: string;
            /** @description The tokens of a stream. Default: the text, split after spaces. */
            tokens?: string[];
            /** @description Delay before the response. */
            delayMs?: number;
            /** @description Delay before each token. */
            tokenDelayMs?: number;
            /** @description Tools that run before the reply. Each that succeeds emits `tool.executed`. */
            actions?: components["schemas"]["ReplyAction"][];
            gate?: components["schemas"]["ReplyGate"];
            presentation?: components["schemas"]["ReplyPresentation"];
            /** @description Cost of the turn, in credits. */
            credits?: number;
            error?: components["schemas"]["ReplyError"];
            /** @description Webhook events to emit after the turn, besides `message.sent` and `tool.executed`. */
            events?: components["schemas"]["ReplyEvent"][];
        };
        /**
         * ReplyRule
         * @description Which turns match, and their reply. The first rule that matches applies.
         */
        ReplyRule: {
            match: components["schemas"]["ReplyMatch"];
            reply: components["schemas"]["CannedReply"];
        };
        /**
         * RefusalCode
         * @description Generated from the error codes of the contract and of the simulator.
         * @enum {unknown}
         */
        RefusalCode: "IDEMPOTENCY_KEY_REQUIRED" | "INSUFFICIENT_CREDITS" | "REQUEST_IN_PROGRESS" | "IDEMPOTENCY_CONFLICT" | "OUTCOME_UNCERTAIN" | "AI_REPLY_PAUSED" | "WORKFLOW_INTERACTION_STALE" | "INVALID_BODY" | "INVALID_API_KEY" | "MISSING_SCOPE" | "AGENT_OUT_OF_SCOPE" | "PLAN_RESTRICTED" | "AGENT_FORBIDDEN" | "AGENT_NOT_FOUND" | "RATE_LIMITED" | "SERVER_ERROR" | "UNAVAILABLE";
        /**
         * RefuseAction
         * @description The service is not asked, and its refusal with this code is the answer.
         */
        RefuseAction: {
            /** @constant */
            is: "refuse";
            code: components["schemas"]["RefusalCode"];
            /** @description Of a 429; 1 if not given. */
            retryAfterSeconds?: number;
            limit?: number;
            remaining?: number;
        };
        /**
         * NameTable
         * @description From a name to what it stands for.
         */
        NameTable: {
            [key: string]: string;
        };
        /**
         * AnswerAction
         * @description The service is not asked, and this is the answer as it is.
         */
        AnswerAction: {
            /** @constant */
            is: "answer";
            status: number;
            headers?: components["schemas"]["NameTable"];
            body: string;
        };
        /**
         * CutAction
         * @description The connection breaks: before the service sees the request, in the body of the answer, or after the work was done.
         */
        CutAction: {
            /** @constant */
            is: "cut";
            /** @enum {unknown} */
            when: "before" | "in" | "after";
            /** @description Of the body that go out before; half of them if not given. */
            bytes?: number;
            /**
             * @description By RST and not by FIN.
             * @constant
             */
            reset?: true;
        };
        /**
         * WaitAction
         * @description The work is done, and nothing comes for so long on the clock of the tenant.
         */
        WaitAction: {
            /** @constant */
            is: "wait";
            ms: number;
        };
        /**
         * WritesAt
         * @description Places in the whole stream.
         */
        WritesAt: {
            at: number[];
        };
        /**
         * Insertion
         * @description An event as a data line, `raw` as it is, or the event before it once more.
         */
        Insertion: {
            behind: number;
            event?: Record<string, unknown>;
            raw?: string;
            /** @constant */
            again?: true;
        };
        /**
         * Silence
         * @description Nothing comes behind so many events, or a comment every 100 ms.
         */
        Silence: {
            behind: number;
            ms: number;
            /** @constant */
            comments?: true;
        };
        /**
         * StreamEnd
         * @description Ends behind so many events: as a body that is whole, or with the socket.
         */
        StreamEnd: {
            behind: number;
            /** @enum {unknown} */
            by: "close" | "cut" | "reset";
        };
        /**
         * StreamEncoding
         * @description How the bytes of a stream look and in which writes they go out.
         */
        StreamEncoding: {
            /** @description An event each if not given; `at`: cut behind these many bytes. */
            writes?: ("whole" | "every-byte" | "within-characters" | "within-line-ends") | components["schemas"]["WritesAt"];
            /** @description Between two writes, on the clock of the tenant. */
            gapMs?: number;
            /** @enum {unknown} */
            lineEnd?: "\n" | "\r\n" | "\r";
            /** @description Text before the first event, as it is. */
            first?: string;
            /** @description Text before each event, as it is. */
            before?: string;
            /** @description Text behind the last event, as it is. */
            last?: string;
            /**
             * @description No blank behind the colon of a data line.
             * @constant
             */
            tight?: true;
            /** @description Further events behind so many of its own. */
            insert?: components["schemas"]["Insertion"][];
            silence?: components["schemas"]["Silence"];
            end?: components["schemas"]["StreamEnd"];
            /**
             * @description The last event lacks its empty line.
             * @constant
             */
            noFinalBlank?: true;
        };
        /**
         * EncodeAction
         * @description A stream, spelled in another way; other answers go out as they are.
         */
        EncodeAction: {
            /** @constant */
            is: "encode";
            as: components["schemas"]["StreamEncoding"];
        };
        /** NetworkFaultAction */
        NetworkFaultAction: components["schemas"]["RefuseAction"] | components["schemas"]["AnswerAction"] | components["schemas"]["CutAction"] | components["schemas"]["WaitAction"] | components["schemas"]["EncodeAction"];
        /**
         * NetworkFault
         * @description What happens to matching requests and their responses. Webhook management is not affected.
         */
        NetworkFault: {
            /** @description Method, and beginning of the path; without it, every chat turn. */
            on?: {
                method?: string;
                path?: string;
            };
            /** @description So many that match go through first; 0 if not given. */
            after?: number;
            /** @description So many meet it then; 1 if not given. */
            times?: number;
            do: components["schemas"]["NetworkFaultAction"];
        };
        /**
         * SnapshotOptions
         * @description Options that the tenant was created with.
         */
        SnapshotOptions: {
            vendor: components["schemas"]["Vendor"];
            identifiers: components["schemas"]["Identifiers"];
            legacy: boolean;
            unlimited: boolean;
            tasks?: components["schemas"]["TaskPace"];
            replyRules: components["schemas"]["ReplyRule"][];
            networkFaults: components["schemas"]["NetworkFault"][];
        };
        /**
         * GeneratorPosition
         * @description The four words of a generator.
         */
        GeneratorPosition: number[];
        /**
         * SnapshotGenerators
         * @description Positions of the generators of ids.
         */
        SnapshotGenerators: {
            tenant: components["schemas"]["GeneratorPosition"];
            deliveries: components["schemas"]["GeneratorPosition"];
            operations: components["schemas"]["GeneratorPosition"];
            accounts: {
                [key: string]: components["schemas"]["GeneratorPosition"];
            };
        };
        /** SnapshotRate */
        SnapshotRate: {
            moments: number[];
            since: number;
            spent: number;
        };
        /**
         * SnapshotEntry
         * @description One item that the tenant stores. Its body is internal to the simulator.
         */
        SnapshotEntry: {
            /** @enum {unknown} */
            kind: "settings" | "account" | "data" | "conversation" | "offer" | "key" | "older-key" | "history" | "run" | "approval" | "task" | "webhook" | "endpoint" | "delivery";
            id: string;
            place: number;
            since: number;
            body: Record<string, unknown>;
        };
        /**
         * Snapshot
         * @description Everything that a tenant contains, with its seed and credentials.
         */
        Snapshot: {
            /** @constant */
            format: "touchstone-snapshot/1";
            seed: string;
            /**
             * Format: date-time
             * @description Time of the tenant.
             */
            at: string;
            options: components["schemas"]["SnapshotOptions"];
            generators: components["schemas"]["SnapshotGenerators"];
            /** @description Requests counted so far, by API key. */
            rates: {
                [key: string]: components["schemas"]["SnapshotRate"];
            };
            entries: components["schemas"]["SnapshotEntry"][];
            /** @description Of the other members as JSON with sorted names: detects damage. */
            digest: string;
        };
        /**
         * TenantRequest
         * @description An isolated tenant. Without any member: a seed of its own, a real clock, every default.
         */
        TenantRequest: {
            /** @description The same seed gives the same ids and keys. */
            seed?: string;
            vendor?: components["schemas"]["Vendor"];
            identifiers?: components["schemas"]["ChosenIdentifiers"];
            clock?: components["schemas"]["ClockSetting"];
            interpretations?: components["schemas"]["ChosenInterpretations"];
            faults?: components["schemas"]["Names"];
            variants?: components["schemas"]["Names"];
            replyRules?: components["schemas"]["ReplyRule"][];
            /** @description Of each account, at the beginning. */
            credits?: number;
            tasks?: components["schemas"]["TaskPace"];
            /** @description From the beginning. */
            networkFaults?: components["schemas"]["NetworkFault"][];
            /** @description Creates the tenant of this snapshot, with its seed, ids and keys. No other member may be present. */
            snapshot?: components["schemas"]["Snapshot"];
        };
        /** CreatedTenant */
        CreatedTenant: {
            id: string;
            seed: string;
            vendor: components["schemas"]["Vendor"];
            identifiers: components["schemas"]["Identifiers"];
            /** @description Path of the control base of this tenant. */
            control: string;
            /** @description API keys by name. */
            keys: components["schemas"]["NameTable"];
            /** @description Agent ids by name. */
            agents: components["schemas"]["NameTable"];
            /** @description Account ids by name. */
            accounts: components["schemas"]["NameTable"];
            /** @description Tokens of signed-in users by name. */
            sessions: components["schemas"]["NameTable"];
            /** @description Keys of the older chat variant by the name of their agent; good where GAP-OLDER-SERVED is read as yes. */
            olderKeys?: components["schemas"]["NameTable"];
        };
        /** SavedSnapshot */
        SavedSnapshot: {
            name: string;
            /**
             * Format: date-time
             * @description Time of the tenant when it was saved.
             */
            at: string;
            /** @description Of the document. */
            bytes: number;
        };
        /** SnapshotList */
        SnapshotList: {
            snapshots: components["schemas"]["SavedSnapshot"][];
        };
        /** DeletedSnapshot */
        DeletedSnapshot: {
            deleted: string;
        };
        /** AgentUpdate */
        AgentUpdate: {
            paused?: boolean;
            allowed?: boolean;
        };
        /** AccountUpdate */
        AccountUpdate: {
            credits?: number;
            plan?: string;
        };
        /** ActiveReplyRules */
        ActiveReplyRules: {
            /** @description In the order in which they are matched. */
            replyRules: components["schemas"]["ReplyRule"][];
            /** @description So many at the end are those that every tenant has. */
            fixtures: number;
        };
        /** ReplyRuleList */
        ReplyRuleList: {
            replyRules: components["schemas"]["ReplyRule"][];
        };
        /** AddedItems */
        AddedItems: {
            added: number;
            /** @description All of this kind that the tenant has now. */
            active: number;
        };
        /** PendingNetworkFault */
        PendingNetworkFault: {
            /** @description Method, and beginning of the path; without it, every chat turn. */
            on?: {
                method?: string;
                path?: string;
            };
            do: components["schemas"]["NetworkFaultAction"];
            /** @description So many that match go through first. */
            after: number;
            /** @description How many requests meet it yet; null until it is cleared. */
            times: number | null;
        };
        /** PendingNetworkFaultList */
        PendingNetworkFaultList: {
            networkFaults: components["schemas"]["PendingNetworkFault"][];
        };
        /**
         * NetworkFaultList
         * @description On top of what there is.
         */
        NetworkFaultList: {
            networkFaults: components["schemas"]["NetworkFault"][];
        };
        /** RemovedItems */
        RemovedItems: {
            removed: number;
        };
        /** PendingFailure */
        PendingFailure: {
            /** @enum {unknown} */
            status: 500 | 503;
            /** @enum {unknown} */
            at: "request" | "turn";
            /** @description How many requests meet it yet; null until it is cleared. */
            times: number | null;
            /** @description Absent: any. */
            agentId?: string;
            /** @description Role of the API key; absent: any. */
            principal?: string;
        };
        /** PendingFailureList */
        PendingFailureList: {
            failures: components["schemas"]["PendingFailure"][];
        };
        /** FailureRequest */
        FailureRequest: {
            /** @enum {unknown} */
            status: 500 | 503;
            /**
             * @description How many requests meet it.
             * @default 1
             */
            times?: number;
            /**
             * @description `request`: before the request is validated. `turn`: when its turn begins. Default: 503 at the request, 500 in the turn.
             * @enum {unknown}
             */
            at?: "request" | "turn";
            /** @description Id or role of the agent; default: any. */
            agentId?: string;
            /** @description Role of the API key; default: any. */
            principal?: string;
        };
        /** OwnedUpload */
        OwnedUpload: {
            id: string;
            /** @description Id of the account. */
            account: string;
            /** @enum {unknown} */
            kind: "document" | "spreadsheet";
            fileName: string;
            contentType: string;
            /** @description In bytes. */
            size: number;
            /** Format: date-time */
            preparedAt: string;
            /** @description The owner approved its renewal. */
            renewed: boolean;
            stored: boolean;
            /** @description The approval that its renewal waits for. */
            renewalApprovalId?: string;
        };
        /** UploadList */
        UploadList: {
            uploads: components["schemas"]["OwnedUpload"][];
        };
        /** LapseRequest */
        LapseRequest: {
            /** @description With which the upload was prepared. */
            idempotencyKey: string;
            /** @description Role of the API key; default: main. */
            principal?: string;
        };
        /** LapsedUpload */
        LapsedUpload: {
            /** @description The idempotency key of its prepare request. */
            lapsed: string;
        };
        /** SituationRequest */
        SituationRequest: {
            /**
             * Format: uri
             * @description The endpoint of `webhook-retry`. Default: the address of `touchstone listen`.
             */
            endpoint?: string;
        };
        /**
         * SituationStep
         * @description One request of a situation, and its expected response.
         */
        SituationStep: {
            does: string;
            /** @enum {unknown} */
            method: "GET" | "POST" | "PATCH";
            path: string;
            headers: string[][];
            body: {
                [key: string]: unknown;
            } | null;
            /** @description Null: no response. */
            status: number | null;
            /** @description A text in the headers or the body of the response. */
            shows: string;
            /** @description The timeout of the client. */
            timeoutMs?: number;
            /**
             * @description The request goes to the control plane.
             * @constant
             */
            control?: true;
        };
        /**
         * PreparedSituation
         * @description What a client needs in the situation. Further members depend on the situation.
         */
        PreparedSituation: {
            apiKey: string;
            /** @description Id of the agent. */
            agent?: string;
            message?: string;
            idempotencyKey?: string;
            conversationId?: string;
            /** @description A button of the last presentation before the pause. */
            interaction?: {
                [key: string]: unknown;
            };
            /** @description A button that is no longer current. */
            expired?: {
                [key: string]: unknown;
            };
            /** @description A button that is current. */
            current?: {
                [key: string]: unknown;
            };
            /** @description Id of the barrier that holds the turn. */
            barrier?: string;
            operation?: string;
            input?: {
                [key: string]: unknown;
            };
            approval?: string;
            task?: string;
            uploadId?: string;
            /** @description The idempotency key of the first step of the upload. */
            prepareKey?: string;
            /** @description The idempotency key of the second step of the upload. */
            finalizeKey?: string;
            /** @description The document in base64. */
            bytes?: string;
            delivery?: string;
            webhook?: string;
            /** @description The signing secret of the webhook. */
            secret?: string;
            endpoint?: string;
            event?: string;
            steps: components["schemas"]["SituationStep"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * KeyState
         * @description An idempotency key of a chat turn.
         */
        KeyState: {
            /** @description Within what the key is unique: the account, or what an interpretation makes of it. */
            scope: string;
            key: string;
            agentId: string;
            /** @description Id of the account. */
            account: string;
            /** @enum {unknown} */
            state: "in-flight" | "completed" | "uncertain" | "refused";
            /**
             * Format: date-time
             * @description When it was first used.
             */
            since: string;
            /**
             * Format: date-time
             * @description When it is free again; null if only by the limits of what a tenant remembers.
             */
            expires: string | null;
            /** @description The first response was a stream. */
            streamed: boolean;
            /** @description Requests with this key while its turn was in flight. */
            duplicates: number;
            /** @description Requests with this key that got a replay. */
            replays: number;
            conversationId?: string;
            creditsUsed?: number;
        };
        /** KeyList */
        KeyList: {
            /** @description The newest, oldest first. */
            keys: components["schemas"]["KeyState"][];
            /** @description Older ones that are not shown. */
            left: number;
        };
        /** TurnInFlight */
        TurnInFlight: {
            /** @description Within what the key is unique: the account, or what an interpretation makes of it. */
            scope: string;
            key: string;
            agentId: string;
            /** @description Id of the account. */
            account: string;
            /** Format: date-time */
            since: string;
            streamed: boolean;
            /** @description The barrier that holds it. */
            barrierId?: string;
            /** @description Number of its request in the journal, as long as a client waits for the response. */
            entry?: number;
            /** @description Tokens of its stream that were sent so far. */
            tokens?: number;
        };
        /** TurnList */
        TurnList: {
            turns: components["schemas"]["TurnInFlight"][];
        };
        /** OwnedWebhook */
        OwnedWebhook: {
            id: string;
            agentId: string;
            name: string;
            endpointUrl: string;
            events: string[];
            description: string | null;
            /** @description Their names. */
            customHeaders: string[];
            isActive: boolean;
            /** @description As the service lists it. */
            secretPreview: string;
            /** Format: date-time */
            createdAt: string;
            failuresInARow: number;
            /**
             * Format: date-time
             * @description Null if deliveries are not paused.
             */
            pausedUntil: string | null;
            /** @description Deliveries that have not ended. */
            pending: number;
        };
        /** OwnedWebhookList */
        OwnedWebhookList: {
            webhooks: components["schemas"]["OwnedWebhook"][];
        };
        /** EventRequest */
        EventRequest: {
            /** @description Name of a webhook event. */
            event: string;
            /** @description Id or role of the agent; without it, `plain`. */
            agentId?: string;
            /** @description Without it, a sample of the simulator's own. */
            payload?: {
                [key: string]: unknown;
            };
        };
        /** EmittedEvent */
        EmittedEvent: {
            /** @description Ids of the deliveries it made. */
            deliveries: components["schemas"]["Names"];
        };
        /**
         * DeliveryAttempt
         * @description One POST of a delivery.
         */
        DeliveryAttempt: {
            number: number;
            /** Format: date-time */
            at: string;
            tookMs: number;
            /** @description Null where no answer came. */
            status: number | null;
            /** @enum {string} */
            outcome: "delivered" | "refused" | "silent" | "unreachable" | "blocked";
            reason: string;
        };
        /**
         * SentDelivery
         * @description One event to one webhook.
         */
        SentDelivery: {
            id: string;
            webhookId: string;
            event: string;
            /**
             * Format: date-time
             * @description When the event happened, by the clock of the tenant.
             */
            at: string;
            /** @description A sample that somebody asked for. */
            test: boolean;
            /** @enum {string} */
            state: "waiting" | "in-flight" | "delivered" | "failed" | "dropped";
            attempts: components["schemas"]["DeliveryAttempt"][];
            agentId?: string;
            /** @description Of the event. */
            payload?: Record<string, unknown>;
            /**
             * Format: date-time
             * @description Null while none is scheduled.
             */
            nextAttemptAt?: string | null;
        };
        /**
         * DeliveryCounts
         * @description Of all deliveries of the tenant, remembered or not.
         */
        DeliveryCounts: {
            waiting: number;
            inFlight: number;
            delivered: number;
            failed: number;
            dropped: number;
        };
        /** DeliveryList */
        DeliveryList: {
            deliveries: components["schemas"]["SentDelivery"][];
            counts: components["schemas"]["DeliveryCounts"];
        };
        /** AttemptSignature */
        AttemptSignature: {
            /** @description Value of the signature header; null where there was none. */
            sent: string | null;
            /** @description From the secret of the webhook and the bytes of the body. */
            computed: string;
        };
        /**
         * SentAttempt
         * @description The request of one attempt as it was sent, and the signature that its receiver has to compute.
         */
        SentAttempt: {
            number: number;
            /** Format: date-time */
            at: string;
            url: string;
            method: string;
            /** @description Names and values in their order; the values of custom headers are redacted. */
            headers: string[][];
            /** @description As UTF-8. */
            body: string;
            /** @description The bytes that the signature covers. */
            bodyBase64: string;
            signature: components["schemas"]["AttemptSignature"];
            result?: components["schemas"]["DeliveryAttempt"];
        };
        /** SentAttemptList */
        SentAttemptList: {
            attempts: components["schemas"]["SentAttempt"][];
        };
        /** AgainRequest */
        AgainRequest: {
            /** @description False if not given. */
            sameId?: boolean;
        };
        /** SentAgain */
        SentAgain: {
            /** @description Its id. */
            delivery: string;
        };
        /** ApprovalState */
        ApprovalState: {
            id: string;
            /** @description Id of the account. */
            account: string;
            /** @description Id of the operation that waits. */
            operation: string;
            /** @enum {unknown} */
            state: "pending" | "approved" | "rejected" | "expired";
            /** Format: date-time */
            askedAt: string;
        };
        /** ApprovalList */
        ApprovalList: {
            approvals: components["schemas"]["ApprovalState"][];
        };
        /** DecisionRequest */
        DecisionRequest: {
            /** @enum {unknown} */
            decision: "approved" | "rejected";
        };
        /** OwnedTask */
        OwnedTask: {
            id: string;
            /** @description Id of the account. */
            account: string;
            /** @description Id of the operation that began it. */
            operation: string;
            /** @enum {unknown} */
            state: "queued" | "running" | "input_required" | "completed" | "failed" | "cancelled";
        };
        /** TaskList */
        TaskList: {
            tasks: components["schemas"]["OwnedTask"][];
        };
        /** TaskStepRequest */
        TaskStepRequest: {
            /**
             * @description To its next state, to asking for input, with the input that it asks for, to its end now, to a failure without effect, or called off.
             * @enum {unknown}
             */
            step: "next" | "ask" | "input" | "finish" | "fail" | "cancel";
        };
        /**
         * BarrierPoint
         * @description Where in a turn: before it runs, after its n-th token, before its outcome is stored, or after that but before the answer.
         * @enum {string}
         */
        BarrierPoint: "before-run" | "after-token" | "before-commit" | "after-commit";
        /** Barrier */
        Barrier: {
            id: string;
            point: components["schemas"]["BarrierPoint"];
            n?: number;
            agentId?: string;
            idempotencyKey?: string;
            /** @description How many more turns it will hold. */
            times?: number;
            /** @description How many turns it holds now. */
            held: number;
        };
        /** BarrierList */
        BarrierList: {
            barriers: components["schemas"]["Barrier"][];
        };
        /**
         * BarrierRequest
         * @description Which turns to hold, and where. Without an agent or a key, the turns of every one.
         */
        BarrierRequest: {
            point: components["schemas"]["BarrierPoint"];
            /** @description After how many tokens; 1 if not given. */
            n?: number;
            agentId?: string;
            idempotencyKey?: string;
            /** @description How many turns; if not given, all. */
            times?: number;
        };
        /** CreatedBarrier */
        CreatedBarrier: {
            id: string;
        };
        /** AwaitedBarrier */
        AwaitedBarrier: {
            /** @description How many turns have come to it, those that went on among them. */
            came: number;
            /** @description Fewer came in the time allowed. */
            timedOut: boolean;
        };
        /** BarrierOutcome */
        BarrierOutcome: {
            /** @description How many it held. */
            turns: number;
        };
        /** JournalMessage */
        JournalMessage: {
            /** @description Name and value, in order; credentials are redacted. */
            headers: string[][];
            /** @description As UTF-8. */
            body: string;
        };
        /** JournalChunk */
        JournalChunk: {
            /**
             * Format: date-time
             * @description When it was written, by the clock of the tenant.
             */
            at: string;
            /** @description Where it begins in `response.body`, in UTF-16 code units. */
            offset: number;
        };
        /**
         * TurnOutcome
         * @description What the response to a chat request says: its turn ran, was replayed or stored; its key is in flight, used for another message, or of unknown outcome; AI replies are paused, or a button is not current; it was refused otherwise, failed, or its response is not complete.
         * @enum {unknown}
         */
        TurnOutcome: "run" | "replay" | "stored-while-paused" | "in-flight" | "conflict" | "uncertain" | "paused" | "stale" | "refused" | "failed" | "broken";
        /**
         * TurnCredits
         * @description As in the response.
         */
        TurnCredits: {
            used: number;
            remaining: number;
        };
        /**
         * JournalEntry
         * @description One request to the service, not to these routes, and its answer.
         */
        JournalEntry: {
            /** @description Counts up within a tenant. */
            id: number;
            /**
             * Format: date-time
             * @description By the clock of the tenant.
             */
            at: string;
            method: string;
            path: string;
            /** @description Null while, or because, nothing was answered. */
            status: number | null;
            /**
             * @description Who ended the answer, or `drop` where the socket was cut; null while it is under way.
             * @enum {string|null}
             */
            closedBy?: "server" | "client" | "drop" | null;
            request?: components["schemas"]["JournalMessage"];
            response?: components["schemas"]["JournalMessage"];
            /**
             * Format: date-time
             * @description When the answer ended, by the clock of the tenant.
             */
            endedAt?: string;
            /** @description The parts in which the answer went out. */
            chunks?: components["schemas"]["JournalChunk"][];
            /** @description `chat`, or the id of the operation that is executed; absent for other requests. */
            operation?: string;
            /** @description Of a chat turn, as in the path. */
            agentId?: string;
            /** @description As in the body, or else in a header. */
            idempotencyKey?: string;
            outcome?: components["schemas"]["TurnOutcome"];
            credits?: components["schemas"]["TurnCredits"];
            /** @description Of a chat turn, as in its response. */
            conversationId?: string;
        };
        /** Journal */
        Journal: {
            entries: components["schemas"]["JournalEntry"][];
            /** @description Older entries that were let go. */
            dropped: number;
            /** @description Older entries that fit, too, and are not given because the answer would be too large; `limit`, `since` and the other filters bring them. */
            left?: number;
        };
        /** AwaitedJournal */
        AwaitedJournal: {
            entries: components["schemas"]["JournalEntry"][];
            dropped: number;
            /** @description Fewer came in the time allowed. */
            timedOut: boolean;
            /** @description Where they did not come: what was asked for, and what was there instead. */
            why?: string;
            /** @description Older entries that fit, too, and are not given because the answer would be too large; `limit`, `since` and the other filters bring them. */
            left?: number;
        };
        /** FaultCatalogue */
        FaultCatalogue: {
            faults: {
                name: string;
                text: string;
                /** @description Clause ids. */
                breaks: string[];
            }[];
        };
        /** SituationCatalogue */
        SituationCatalogue: {
            situations: {
                name: string;
                title: string;
                /** @description What a client can learn from it. */
                shows: string;
            }[];
        };
        /** VariantCatalogue */
        VariantCatalogue: {
            variants: {
                name: string;
                text: string;
            }[];
        };
        /** ReadingCatalogue */
        ReadingCatalogue: {
            gaps: {
                id: string;
                question: string;
                /** @description The first one is the default. */
                interpretations: components["schemas"]["NameTable"];
            }[];
        };
        /**
         * JournalRequestEvent
         * @description A request is complete: a new entry, which replaces what is known under this number.
         */
        JournalRequestEvent: {
            /** @constant */
            type: "request";
            /** @description Number of the entry. */
            id: number;
            /**
             * Format: date-time
             * @description By the clock of the tenant.
             */
            at: string;
            method: string;
            path: string;
            request: components["schemas"]["JournalMessage"];
            /** @description `chat`, or the id of the operation that is executed; absent for other requests. */
            operation?: string;
            /** @description Of a chat turn, as in the path. */
            agentId?: string;
            /** @description As in the body, or else in a header. */
            idempotencyKey?: string;
        };
        /**
         * JournalHeadersEvent
         * @description The response begins.
         */
        JournalHeadersEvent: {
            /** @constant */
            type: "headers";
            /** @description Number of the entry. */
            id: number;
            status: number;
            /** @description Name and value, in order; credentials are redacted. */
            headers: string[][];
        };
        /**
         * JournalChunkEvent
         * @description A part of the response body was written. The parts of an entry make up its `response.body`.
         */
        JournalChunkEvent: {
            /** @constant */
            type: "chunk";
            /** @description Number of the entry. */
            id: number;
            /**
             * Format: date-time
             * @description When it was written, by the clock of the tenant.
             */
            at: string;
            /** @description As UTF-8; a character or a key that is split between two chunks is in the later one. */
            text: string;
        };
        /**
         * JournalEndEvent
         * @description The response ended. The event id is the number of the last entry before which nothing is in flight: a stream with it as `Last-Event-ID` continues there, and repeats what was sent of later entries.
         */
        JournalEndEvent: {
            /** @constant */
            type: "end";
            /** @description Number of the entry. */
            id: number;
            /** @description Null while, or because, nothing was answered. */
            status: number | null;
            /**
             * @description Who ended the answer, or `drop` where the socket was cut; null while it is under way.
             * @enum {string|null}
             */
            closedBy: "server" | "client" | "drop" | null;
            /**
             * Format: date-time
             * @description When the answer ended, by the clock of the tenant.
             */
            endedAt?: string;
            outcome?: components["schemas"]["TurnOutcome"];
            credits?: components["schemas"]["TurnCredits"];
            /** @description Of a chat turn, as in its response. */
            conversationId?: string;
        };
        /**
         * JournalLostEvent
         * @description The journal evicted entries before they were sent, because they were not read fast enough or are too old.
         */
        JournalLostEvent: {
            /** @constant */
            type: "lost";
            /** @description How many. */
            entries: number;
        };
        /**
         * JournalClearedEvent
         * @description The tenant was reset: all entries are gone, and numbers begin at 1 again.
         */
        JournalClearedEvent: {
            /** @constant */
            type: "cleared";
        };
    };
    responses: {
        /** @description The address is not a loopback one, and the token is missing or wrong. */
        NoToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /**
         * @description A page of another origin asks, or a webhook; or the request is for a name that this machine is not known by,
         *     where no token is asked for.
         */
        Foreign: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /** @description There are as many of them as there may be, or one of them is too large. */
        Full: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /**
         * @description A turn is in flight, a state is entered, a barrier is set, or a limit is exceeded; the document is damaged, or of
         *     another tenant.
         */
        NoSnapshot: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /** @description The body is not said to be JSON. */
        NotJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /** @description There is nothing under this path. */
        NotThere: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /** @description The request does not fit this document. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlErrorBody"];
            };
        };
        /** @description How many turns it held. */
        BarrierGone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BarrierOutcome"];
            };
        };
    };
    parameters: {
        /** @example t_1 */
        tenantId: string;
        /**
         * @description Id of a state, as spec/states.ts lists them.
         * @example chat.paused
         */
        state: string;
        /** @example before-checkout */
        snapshotName: string;
        /** @example b_1 */
        barrierId: string;
        /** @example POST */
        method: string;
        /**
         * @description The path begins with this.
         * @example /api/v1/chat
         */
        path: string;
        /** @example 409 */
        status: number;
        /**
         * @description An error code, wherever it stands in the answer.
         * @example REQUEST_IN_PROGRESS
         */
        code: string;
        /**
         * @description Members of the JSON body of the request, as JSON; of an object within, its members, too.
         * @example {"message":"Hello"}
         */
        body: string;
        /**
         * @description A header of the request, its name and value parted by a colon; several can be given.
         * @example [
         *       "Idempotency-Key: order-1001"
         *     ]
         */
        header: string[];
        /**
         * @description In real time; 5,000 if not given.
         * @example 1000
         */
        timeoutMs: number;
        /**
         * @description The newest so many; 100 if not given.
         * @example 50
         */
        limit: number;
        /**
         * @description Only entries with a greater id.
         * @example 10
         */
        since: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description It is not, for now or from now on. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example openapi.json */
                document: "openapi.json" | "asyncapi.json" | "control.json";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI or AsyncAPI document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    readTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The protocol, and the tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantState"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description It is deleted; its keys are invalid from now on. Connections of turns and operations in flight are closed;
             *     over a store, those that were not answered yet get a 503.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedTenant"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantUpdate"];
            };
        };
        responses: {
            /** @description The tenant as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantState"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    enterState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /**
                 * @description Id of a state, as spec/states.ts lists them.
                 * @example chat.paused
                 */
                state: components["parameters"]["state"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StateRequest"];
            };
        };
        responses: {
            /** @description The state holds until its handle is deleted. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnteredState"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            /** @description This state is not known here. The caller has a gap in its coverage, not a failure. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlErrorBody"];
                };
            };
            /** @description The state is known but cannot be entered now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlErrorBody"];
                };
            };
            415: components["responses"]["NotJson"];
        };
    };
    leaveState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /**
                 * @description Id of a state, as spec/states.ts lists them.
                 * @example chat.paused
                 */
                state: components["parameters"]["state"];
                /** @example s_1 */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state no longer holds. Another server may answer 204 without a body. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeftState"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceRequest"];
            };
        };
        responses: {
            /** @description What time it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Advanced"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    readClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock of the tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockState"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockSetting"];
            };
        };
        responses: {
            /** @description The clock as it goes now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockState"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    listTenants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantRequest"];
            };
        };
        responses: {
            /** @description A new tenant, with its keys and ids. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTenant"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            409: components["responses"]["Full"];
            415: components["responses"]["NotJson"];
        };
    };
    readCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTenant"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    resetTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant as it is now; nothing that happened in it is left. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantState"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    downloadSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["NoSnapshot"];
        };
    };
    restoreDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Snapshot"];
            };
        };
        responses: {
            /** @description The tenant as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantState"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["NoSnapshot"];
            415: components["responses"]["NotJson"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    readSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example before-checkout */
                name: components["parameters"]["snapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    saveSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example before-checkout */
                name: components["parameters"]["snapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSnapshot"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["NoSnapshot"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example before-checkout */
                name: components["parameters"]["snapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedSnapshot"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example before-checkout */
                name: components["parameters"]["snapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantState"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["NoSnapshot"];
        };
    };
    updateTenantAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example agent_plain */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentUpdate"];
            };
        };
        responses: {
            /** @description The agent as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantAgent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    updateTenantAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example acc_main */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountUpdate"];
            };
        };
        responses: {
            /** @description The account as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantAccount"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    listReplyRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveReplyRules"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    setReplyRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplyRuleList"];
            };
        };
        responses: {
            /** @description The rules apply from the next turn. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedItems"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["Full"];
            415: components["responses"]["NotJson"];
        };
    };
    listNetworkFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingNetworkFaultList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    addNetworkFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkFaultList"];
            };
        };
        responses: {
            /** @description The next matching request meets them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedItems"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["Full"];
            415: components["responses"]["NotJson"];
        };
    };
    clearNetworkFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No network fault is active any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedItems"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    listFailures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingFailureList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    addFailure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailureRequest"];
            };
        };
        responses: {
            /** @description The next matching request meets it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedItems"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["Full"];
            415: components["responses"]["NotJson"];
        };
    };
    clearFailures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No server error is active any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedItems"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    listUploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    lapseUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LapseRequest"];
            };
        };
        responses: {
            /** @description It has expired. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LapsedUpload"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            /** @description No upload was prepared with this idempotency key. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlErrorBody"];
                };
            };
            415: components["responses"]["NotJson"];
        };
    };
    prepareSituation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example rate-limit */
                situation: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SituationRequest"];
            };
        };
        responses: {
            /** @description The tenant is in the situation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreparedSituation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            /** @description The tenant refuses a request of the setup. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlErrorBody"];
                };
            };
            415: components["responses"]["NotJson"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description The newest so many; 100 if not given.
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    listTurns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    listTenantWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnedWebhookList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    emitEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventRequest"];
            };
        };
        responses: {
            /** @description One delivery for each active webhook of the agent that has selected the event. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmittedEvent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this webhook.
                 * @example wh_1
                 */
                webhookId?: string;
            };
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhook by webhook, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    listSentAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example whd_1 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Of every delivery with this id, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentAttemptList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    sendAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example whd_1 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgainRequest"];
            };
        };
        responses: {
            /** @description The delivery that was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentAgain"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            415: components["responses"]["NotJson"];
        };
    };
    listApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example appr_1 */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description The approval as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalState"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            /** @description It was decided already, is at its end, or asks for nothing. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlErrorBody"];
                };
            };
            415: components["responses"]["NotJson"];
        };
    };
    listTasks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    stepTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example task_1 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskStepRequest"];
            };
        };
        responses: {
            /** @description The task as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnedTask"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            /** @description It was decided already, is at its end, or asks for nothing. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlErrorBody"];
                };
            };
            415: components["responses"]["NotJson"];
        };
    };
    listBarriers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The barriers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BarrierList"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    createBarrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BarrierRequest"];
            };
        };
        responses: {
            /** @description It holds every turn that reaches it from now on. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedBarrier"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["Full"];
            415: components["responses"]["NotJson"];
        };
    };
    awaitBarrier: {
        parameters: {
            query?: {
                /**
                 * @description In all, those that went on among them; 1 if not given.
                 * @example 2
                 */
                count?: number;
                /**
                 * @description In real time; 5,000 if not given.
                 * @example 1000
                 */
                timeoutMs?: components["parameters"]["timeoutMs"];
            };
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example b_1 */
                barrierId: components["parameters"]["barrierId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many have come, as soon as there are enough or the time is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AwaitedBarrier"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    releaseBarrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example b_1 */
                barrierId: components["parameters"]["barrierId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BarrierGone"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    crashBarrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
                /** @example b_1 */
                barrierId: components["parameters"]["barrierId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BarrierGone"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    readJournal: {
        parameters: {
            query?: {
                /** @example POST */
                method?: components["parameters"]["method"];
                /**
                 * @description The path begins with this.
                 * @example /api/v1/chat
                 */
                path?: components["parameters"]["path"];
                /** @example 409 */
                status?: components["parameters"]["status"];
                /**
                 * @description An error code, wherever it stands in the answer.
                 * @example REQUEST_IN_PROGRESS
                 */
                code?: components["parameters"]["code"];
                /**
                 * @description Members of the JSON body of the request, as JSON; of an object within, its members, too.
                 * @example {"message":"Hello"}
                 */
                body?: components["parameters"]["body"];
                /**
                 * @description A header of the request, its name and value parted by a colon; several can be given.
                 * @example [
                 *       "Idempotency-Key: order-1001"
                 *     ]
                 */
                header?: components["parameters"]["header"];
                /**
                 * @description Only entries with a greater id.
                 * @example 10
                 */
                since?: components["parameters"]["since"];
                /**
                 * @description The newest so many.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries that fit, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journal"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    awaitJournal: {
        parameters: {
            query: {
                /** @example POST */
                method?: components["parameters"]["method"];
                /**
                 * @description The path begins with this.
                 * @example /api/v1/chat
                 */
                path?: components["parameters"]["path"];
                /** @example 409 */
                status?: components["parameters"]["status"];
                /**
                 * @description An error code, wherever it stands in the answer.
                 * @example REQUEST_IN_PROGRESS
                 */
                code?: components["parameters"]["code"];
                /**
                 * @description Members of the JSON body of the request, as JSON; of an object within, its members, too.
                 * @example {"message":"Hello"}
                 */
                body?: components["parameters"]["body"];
                /**
                 * @description A header of the request, its name and value parted by a colon; several can be given.
                 * @example [
                 *       "Idempotency-Key: order-1001"
                 *     ]
                 */
                header?: components["parameters"]["header"];
                /**
                 * @description Only entries with a greater id.
                 * @example 10
                 */
                since?: components["parameters"]["since"];
                /** @example 2 */
                count: number;
                /**
                 * @description In real time; 5,000 if not given.
                 * @example 1000
                 */
                timeoutMs?: components["parameters"]["timeoutMs"];
            };
            header?: never;
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries that fit, as soon as there are enough or the time is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AwaitedJournal"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
        };
    };
    followJournal: {
        parameters: {
            query?: {
                /**
                 * @description Only entries with a greater id.
                 * @example 10
                 */
                since?: components["parameters"]["since"];
            };
            header?: {
                /**
                 * @description The last event id that was received; takes precedence over `since`.
                 * @example 0
                 */
                "Last-Event-ID"?: number;
            };
            path: {
                /** @example t_1 */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, each with a `type`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
            404: components["responses"]["NotThere"];
            409: components["responses"]["Full"];
        };
    };
    listFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each with the clauses it breaks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultCatalogue"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
        };
    };
    listSituations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The situations, each with what it shows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SituationCatalogue"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
        };
    };
    listVariants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The variants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantCatalogue"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
        };
    };
    listInterpretations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gaps with their interpretations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadingCatalogue"];
                };
            };
            401: components["responses"]["NoToken"];
            403: components["responses"]["Foreign"];
        };
    };
}

export type AccountUpdate = components['schemas']['AccountUpdate']
export type ActiveReplyRules = components['schemas']['ActiveReplyRules']
export type AddedItems = components['schemas']['AddedItems']
export type AdvanceRequest = components['schemas']['AdvanceRequest']
export type Advanced = components['schemas']['Advanced']
export type AgainRequest = components['schemas']['AgainRequest']
export type AgentUpdate = components['schemas']['AgentUpdate']
export type AnswerAction = components['schemas']['AnswerAction']
export type ApprovalList = components['schemas']['ApprovalList']
export type ApprovalState = components['schemas']['ApprovalState']
export type AttemptSignature = components['schemas']['AttemptSignature']
export type AwaitedBarrier = components['schemas']['AwaitedBarrier']
export type AwaitedJournal = components['schemas']['AwaitedJournal']
export type Barrier = components['schemas']['Barrier']
export type BarrierList = components['schemas']['BarrierList']
export type BarrierOutcome = components['schemas']['BarrierOutcome']
export type BarrierPoint = components['schemas']['BarrierPoint']
export type BarrierRequest = components['schemas']['BarrierRequest']
export type CannedReply = components['schemas']['CannedReply']
export type ChosenIdentifiers = components['schemas']['ChosenIdentifiers']
export type ChosenInterpretations = components['schemas']['ChosenInterpretations']
export type ClockSetting = components['schemas']['ClockSetting']
export type ClockState = components['schemas']['ClockState']
export type ControlErrorBody = components['schemas']['ControlErrorBody']
export type ControlProtocol = components['schemas']['ControlProtocol']
export type CreatedBarrier = components['schemas']['CreatedBarrier']
export type CreatedTenant = components['schemas']['CreatedTenant']
export type CutAction = components['schemas']['CutAction']
export type DecisionRequest = components['schemas']['DecisionRequest']
export type DeletedSnapshot = components['schemas']['DeletedSnapshot']
export type DeletedTenant = components['schemas']['DeletedTenant']
export type DeliveryAttempt = components['schemas']['DeliveryAttempt']
export type DeliveryCounts = components['schemas']['DeliveryCounts']
export type DeliveryList = components['schemas']['DeliveryList']
export type EmittedEvent = components['schemas']['EmittedEvent']
export type EncodeAction = components['schemas']['EncodeAction']
export type EnteredState = components['schemas']['EnteredState']
export type EventRequest = components['schemas']['EventRequest']
export type FailureRequest = components['schemas']['FailureRequest']
export type FaultCatalogue = components['schemas']['FaultCatalogue']
export type FrozenClock = components['schemas']['FrozenClock']
export type GeneratorPosition = components['schemas']['GeneratorPosition']
export type Health = components['schemas']['Health']
export type Identifiers = components['schemas']['Identifiers']
export type Insertion = components['schemas']['Insertion']
export type Journal = components['schemas']['Journal']
export type JournalChunk = components['schemas']['JournalChunk']
export type JournalChunkEvent = components['schemas']['JournalChunkEvent']
export type JournalClearedEvent = components['schemas']['JournalClearedEvent']
export type JournalEndEvent = components['schemas']['JournalEndEvent']
export type JournalEntry = components['schemas']['JournalEntry']
export type JournalEvent = components['schemas']['JournalEvent']
export type JournalHeadersEvent = components['schemas']['JournalHeadersEvent']
export type JournalLostEvent = components['schemas']['JournalLostEvent']
export type JournalMessage = components['schemas']['JournalMessage']
export type JournalRequestEvent = components['schemas']['JournalRequestEvent']
export type KeyList = components['schemas']['KeyList']
export type KeyState = components['schemas']['KeyState']
export type LapseRequest = components['schemas']['LapseRequest']
export type LapsedUpload = components['schemas']['LapsedUpload']
export type LeftState = components['schemas']['LeftState']
export type ListedTenant = components['schemas']['ListedTenant']
export type MessagePart = components['schemas']['MessagePart']
export type NameTable = components['schemas']['NameTable']
export type Names = components['schemas']['Names']
export type NetworkFault = components['schemas']['NetworkFault']
export type NetworkFaultAction = components['schemas']['NetworkFaultAction']
export type NetworkFaultList = components['schemas']['NetworkFaultList']
export type OffsetClock = components['schemas']['OffsetClock']
export type OwnedTask = components['schemas']['OwnedTask']
export type OwnedUpload = components['schemas']['OwnedUpload']
export type OwnedWebhook = components['schemas']['OwnedWebhook']
export type OwnedWebhookList = components['schemas']['OwnedWebhookList']
export type PendingFailure = components['schemas']['PendingFailure']
export type PendingFailureList = components['schemas']['PendingFailureList']
export type PendingNetworkFault = components['schemas']['PendingNetworkFault']
export type PendingNetworkFaultList = components['schemas']['PendingNetworkFaultList']
export type PreparedSituation = components['schemas']['PreparedSituation']
export type ReadingCatalogue = components['schemas']['ReadingCatalogue']
export type RealClock = components['schemas']['RealClock']
export type RefusalCode = components['schemas']['RefusalCode']
export type RefuseAction = components['schemas']['RefuseAction']
export type RemovedItems = components['schemas']['RemovedItems']
export type ReplyAction = components['schemas']['ReplyAction']
export type ReplyError = components['schemas']['ReplyError']
export type ReplyEvent = components['schemas']['ReplyEvent']
export type ReplyEventName = components['schemas']['ReplyEventName']
export type ReplyEventWithPayload = components['schemas']['ReplyEventWithPayload']
export type ReplyGate = components['schemas']['ReplyGate']
export type ReplyMatch = components['schemas']['ReplyMatch']
export type ReplyPresentation = components['schemas']['ReplyPresentation']
export type ReplyRule = components['schemas']['ReplyRule']
export type ReplyRuleList = components['schemas']['ReplyRuleList']
export type SavedSnapshot = components['schemas']['SavedSnapshot']
export type ScaledClock = components['schemas']['ScaledClock']
export type SentAgain = components['schemas']['SentAgain']
export type SentAttempt = components['schemas']['SentAttempt']
export type SentAttemptList = components['schemas']['SentAttemptList']
export type SentDelivery = components['schemas']['SentDelivery']
export type Silence = components['schemas']['Silence']
export type SituationCatalogue = components['schemas']['SituationCatalogue']
export type SituationRequest = components['schemas']['SituationRequest']
export type SituationStep = components['schemas']['SituationStep']
export type Snapshot = components['schemas']['Snapshot']
export type SnapshotEntry = components['schemas']['SnapshotEntry']
export type SnapshotGenerators = components['schemas']['SnapshotGenerators']
export type SnapshotList = components['schemas']['SnapshotList']
export type SnapshotOptions = components['schemas']['SnapshotOptions']
export type SnapshotRate = components['schemas']['SnapshotRate']
export type StateRequest = components['schemas']['StateRequest']
export type StateSetting = components['schemas']['StateSetting']
export type StreamEncoding = components['schemas']['StreamEncoding']
export type StreamEnd = components['schemas']['StreamEnd']
export type TaskAtOnce = components['schemas']['TaskAtOnce']
export type TaskByHand = components['schemas']['TaskByHand']
export type TaskByReads = components['schemas']['TaskByReads']
export type TaskByTime = components['schemas']['TaskByTime']
export type TaskList = components['schemas']['TaskList']
export type TaskPace = components['schemas']['TaskPace']
export type TaskStepRequest = components['schemas']['TaskStepRequest']
export type TenantAccount = components['schemas']['TenantAccount']
export type TenantAgent = components['schemas']['TenantAgent']
export type TenantList = components['schemas']['TenantList']
export type TenantRequest = components['schemas']['TenantRequest']
export type TenantState = components['schemas']['TenantState']
export type TenantUpdate = components['schemas']['TenantUpdate']
export type TurnCredits = components['schemas']['TurnCredits']
export type TurnInFlight = components['schemas']['TurnInFlight']
export type TurnList = components['schemas']['TurnList']
export type TurnOutcome = components['schemas']['TurnOutcome']
export type UploadList = components['schemas']['UploadList']
export type VariantCatalogue = components['schemas']['VariantCatalogue']
export type Vendor = components['schemas']['Vendor']
export type WaitAction = components['schemas']['WaitAction']
export type WritesAt = components['schemas']['WritesAt']

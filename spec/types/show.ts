// Generated from spec/show.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exchange the code of a started browser for the token. */
        get: operations["openSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the run in progress as events.
         * @description Events with an `id` are sent to everybody once and in order; `Last-Event-ID` resumes after one. They are those
         *     of the newest run, which `run` begins. `state` has no `id`: only the newest is sent, and one every second while
         *     a run is in progress.
         */
        get: operations["followLiveRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reruns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run checks again, when no run is in progress.
         * @description It is a run of its own, with the target as it is then, the seed of the first run, and its own folder beside
         *     that of the first run. `GET /api/live/events` reports it.
         */
        post: operations["runAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/target-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the target file that was named at the start. */
        get: operations["readTargetFile"];
        /** Replace the target file, if its text is valid and the file is still the one that was read. */
        put: operations["saveTargetFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/target-file/examination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a target file against the live target, as `touchstone doctor` does.
         * @description Sends at most 30 requests and 8 turns. The text need not be saved.
         */
        post: operations["examineTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs that may be read. */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** Read the answers, counts and facts of a run. */
        get: operations["readRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** Verify the folder of a run, as `touchstone verify` does. */
        get: operations["verifyRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** List checks in the order of the contract. */
        get: operations["listChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/checks/{check}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                check: string;
            };
            cookie?: never;
        };
        /** Read a check with its clause, its evidence and how to run it again. */
        get: operations["readCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/checks/{check}/waiver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                check: string;
            };
            cookie?: never;
        };
        /** Read which entries of the policy can accept a check of a run. */
        get: operations["readWaiverChoice"];
        put?: never;
        /** Add an entry to the policy file that was named at the start. */
        post: operations["addWaiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/exchanges": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** List exchanges in the order sent. */
        get: operations["listExchanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/exchanges/{exchange}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                exchange: number;
            };
            cookie?: never;
        };
        /** Read both messages of an exchange with the times at which they arrived. */
        get: operations["readExchange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** Compare a run with an earlier one. */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run}/faults": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** List for each check of a run the faults that were shown to fail it. */
        get: operations["listProof"];
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
        /** @enum {unknown} */
        Tone: "good" | "bad" | "doubt" | "quiet";
        /** @description How an answer or a verdict is shown. */
        Words: {
            sign: string;
            word: string;
            tone: components["schemas"]["Tone"];
            means: string;
        };
        OpenedSession: {
            token: string;
        };
        LiveEvent: components["schemas"]["LiveBegun"] | components["schemas"]["LiveFailure"] | components["schemas"]["LiveEnded"] | components["schemas"]["LiveState"];
        /** @description A run has begun; what was sent of the one before no longer counts. */
        LiveBegun: {
            /** @constant */
            type: "run";
            /** @description 1 for the first run. */
            number: number;
            folder: string;
            /** @description Ids of the checks that are run again; null for the first run. */
            checks: string[] | null;
        };
        LiveFailure: {
            /** @constant */
            type: "failure";
            check: string;
            clause: string;
            words: components["schemas"]["Words"];
            message: string;
        };
        LiveEnded: {
            /** @constant */
            type: "ended";
            /** @description Its id in the list of runs; null where it left none. */
            run: string | null;
            exitCode: number;
            /** @description Why it ended without a report. */
            problem: string | null;
        };
        LiveState: {
            /** @constant */
            type: "state";
            /** @enum {unknown} */
            phase: "preparing" | "running" | "finishing" | "ended";
            /** @description Scenarios that have ended. */
            at: number;
            of: number;
            scenario: string;
            title: string;
            /** @description What it waits for; empty for nothing. */
            waiting: string;
            /** @description The estimated time that is left; empty while it is unknown. */
            left: string;
            seconds: number;
            usage: components["schemas"]["Usage"][];
            failed: number;
            /** @description What is run after it, in this order. */
            queued: components["schemas"]["QueuedRun"][];
        };
        QueuedRun: {
            number: number;
            /** @description Null for all whose newest verdict is `fail` or `error` when it begins. */
            checks: string[] | null;
        };
        TargetFileText: {
            path: string;
            /** @description SHA-256, hex, of the file. */
            digest: string;
            text: string | null;
            /** @description Why the text is not shown. */
            withheld: string | null;
        };
        Examination: {
            results: {
                /**
                 * @description As the file says, not so, something it relies on is missing, or not seen.
                 * @enum {unknown}
                 */
                is: "fine" | "wrong" | "missing" | "open";
                /** @description The part of the file. */
                about: string;
                words: string;
                /** @description The file declares nothing that could be checked. */
                undeclared: boolean;
            }[];
        };
        /**
         * @description A list of the policy; docs/policy.md has what each accepts.
         * @enum {unknown}
         */
        WaiverList: "knownFailures" | "flaky" | "expectedNotExercised";
        WaiverChoice: {
            /** @description The policy; null where none was named at the start. */
            file: string | null;
            lists: components["schemas"]["WaiverList"][];
            /** @description Why there is none, and what to do. */
            refusal: string | null;
            /**
             * Format: date
             * @description The last day that may be given as `expires`.
             */
            latest: string;
        };
        Waiver: {
            list: components["schemas"]["WaiverList"];
            /** @description Not for `expectedNotExercised`. */
            owner?: string;
            reason: string;
            /** @description An address. */
            issue?: string;
            /**
             * Format: date
             * @description Not for `expectedNotExercised`.
             */
            expires?: string;
        };
        WrittenWaiver: {
            file: string;
            /** @description As YAML. */
            entry: string;
        };
        RunList: {
            /** @description Opened by `touchstone check --ui`; each of its runs is listed when it has ended. */
            live: boolean;
            runs: components["schemas"]["RunEntry"][];
            /** @description Id of the run that `--since` names. */
            since: string | null;
        };
        RunEntry: {
            id: string;
            folder: string;
            /** @description Why the run cannot be shown; its folder can be verified all the same. */
            problem: string | null;
            target?: string;
            startedAt?: string;
            conformance?: components["schemas"]["Words"];
        };
        /** @description A name and its value. */
        Fact: {
            name: string;
            value: string;
        };
        Usage: {
            what: string;
            used: number;
            limit: number;
        };
        VerdictCount: {
            verdict: string;
            words: components["schemas"]["Words"];
            count: number;
        };
        AreaCount: {
            area: string;
            checks: number;
            /** @description Checks by verdict. */
            counts: {
                [key: string]: number;
            };
        };
        RunOverview: {
            id: string;
            folder: string;
            target: string;
            startedAt: string;
            /** @description Where an interrupted run ends, in a sentence. */
            ends: string | null;
            conformance: components["schemas"]["Words"];
            gate: components["schemas"]["Words"];
            /** @description Why the gate is as it is. */
            because: string[];
            exitCode: number;
            /** @description In one line, as the terminal prints it. */
            counts: string;
            /** @description Every verdict, also those that no check has. */
            verdicts: components["schemas"]["VerdictCount"][];
            areas: components["schemas"]["AreaCount"][];
            usage: components["schemas"]["Usage"][];
            facts: components["schemas"]["Fact"][];
            exchanges: number;
            /** @description Numbers of the lines of the journal that cannot be read. */
            unreadable: number[];
        };
        Verification: {
            words: components["schemas"]["Words"];
            conclusion: string;
            parts: components["schemas"]["VerifiedPart"][];
        };
        VerifiedPart: {
            about: string;
            tone: components["schemas"]["Tone"];
            sign: string;
            words: string;
            problems: string[];
        };
        CheckItem: {
            check: string;
            clause: string;
            area: string;
            level: string;
            scenario: string;
            title: string;
            verdict: string;
            /** @description What was received in place of what was expected, or why there is no verdict. */
            brief: string;
            /** @description Its verdicts in the other runs of this session, in their order. */
            others: components["schemas"]["OtherVerdict"][];
        };
        OtherVerdict: {
            run: string;
            /** @description That run came after this one. */
            later: boolean;
            verdict: string;
            words: components["schemas"]["Words"];
        };
        CheckList: {
            /** @description Of all pages. */
            total: number;
            items: components["schemas"]["CheckItem"][];
        };
        Evidence: {
            exchange: components["schemas"]["ExchangeItem"];
            role: string;
            /** @description It shows the failure. */
            decisive: boolean;
        };
        Fault: {
            fault: string;
            title: string;
            /**
             * @description What has the defect.
             * @enum {unknown}
             */
            kind: "simulator" | "receiver" | "client";
        };
        Command: {
            what: string;
            command: string;
        };
        CheckDetail: {
            item: components["schemas"]["CheckItem"];
            /** @description The clause in words. */
            text: string;
            /** @description Where the contract has it, with the words that decide it. */
            source: string;
            basis: string;
            expected?: string;
            got?: string;
            detail?: string;
            /** @description Why there is no verdict. */
            reason?: string;
            /** @description What to do for a verdict. */
            provide?: string;
            facts: components["schemas"]["Fact"][];
            evidence: components["schemas"]["Evidence"][];
            /** @description Exchanges of the evidence that are not listed. */
            more: number;
            commands: components["schemas"]["Command"][];
            faults: components["schemas"]["Fault"][];
        };
        /** @description Times are milliseconds since the run began. */
        ExchangeItem: {
            id: number;
            scenario: string;
            name: string;
            method: string;
            path: string;
            status: number | null;
            failure: string | null;
            /** @description The target sent it, and we replied. */
            inbound: boolean;
            principal: string | null;
            sentAt: number;
            headersAt: number | null;
            endedAt: number;
            /** @description Bytes of the body of the request. */
            sent: number;
            /** @description Bytes of the body of the response. */
            received: number;
        };
        ExchangeList: {
            total: number;
            items: components["schemas"]["ExchangeItem"][];
        };
        Chunk: {
            at: number;
            base64: string;
        };
        Message: {
            /** @description The first line. */
            start: string;
            headers: components["schemas"]["Fact"][];
            /** @description The body as it was sent or arrived; of a very large one the beginning. */
            chunks: components["schemas"]["Chunk"][];
            /** @description Bytes of the whole body. */
            size: number;
        };
        StreamEvent: {
            at: number;
            type: string;
            data: string;
        };
        CitedBy: {
            check: string;
            verdict: string;
        };
        ExchangeDetail: {
            item: components["schemas"]["ExchangeItem"];
            request: components["schemas"]["Message"];
            response: components["schemas"]["Message"] | null;
            notes: string[];
            /** @description Of an event stream, in the order received. */
            events: components["schemas"]["StreamEvent"][];
            /** @description The command that sends it again; absent for what the target sent. */
            curl?: string;
            /** @description The checks that rest on it. */
            checks: components["schemas"]["CitedBy"][];
        };
        ChangedCheck: {
            check: string;
            about: string;
            level: string;
            step: string;
            fields: components["schemas"]["Fact"][];
            notes: string[];
        };
        ChangesOfKind: {
            words: components["schemas"]["Words"];
            changes: components["schemas"]["ChangedCheck"][];
        };
        SharedSetting: {
            what: string;
            before: string;
            after: string;
            same: boolean;
            means: string;
        };
        RunChanges: {
            words: components["schemas"]["Words"];
            before: string;
            after: string;
            counts: string;
            cautions: string[];
            settings: components["schemas"]["SharedSetting"][];
            kinds: components["schemas"]["ChangesOfKind"][];
        };
        ProofRow: {
            check: string;
            clause: string;
            verdict: string;
            faults: components["schemas"]["Fault"][];
        };
        ProofList: {
            rows: components["schemas"]["ProofRow"][];
        };
    };
    responses: {
        /** @description Why not, and what to do. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: string;
                };
            };
        };
    };
    parameters: {
        /** @description Id of a run of the list. */
        run: string;
        /** @description A text in any casing; bodies, paths and headers of exchanges are searched, too. */
        text: string;
        offset: number;
        limit: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    openSession: {
        parameters: {
            query: {
                /** @description Counts once, for a minute. */
                code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedSession"];
                };
            };
            401: components["responses"]["Refused"];
        };
    };
    followLiveRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last id that was received. */
                "Last-Event-ID"?: number;
            };
            path?: never;
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
            401: components["responses"]["Refused"];
            404: components["responses"]["Refused"];
        };
    };
    runAgain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids of checks; null for all whose newest verdict is `fail` or `error`. */
                    checks: string[] | null;
                };
            };
        };
        responses: {
            /** @description It is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedRun"];
                };
            };
            400: components["responses"]["Refused"];
            404: components["responses"]["Refused"];
            409: components["responses"]["Refused"];
        };
    };
    readTargetFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its text as it is on disk, unless it has a secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetFileText"];
                };
            };
            404: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    saveTargetFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    /** @description Of the text that was read. */
                    digest: string;
                };
            };
        };
        responses: {
            /** @description The new text. The next run has it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetFileText"];
                };
            };
            400: components["responses"]["Refused"];
            404: components["responses"]["Refused"];
            409: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    examineTarget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Examination"];
                };
            };
            400: components["responses"]["Refused"];
            404: components["responses"]["Refused"];
            409: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    listRuns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs, the one to show first at the beginning. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            401: components["responses"]["Refused"];
        };
    };
    readRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunOverview"];
                };
            };
            404: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    verifyRun: {
        parameters: {
            query?: {
                /** @description Judge the journal again, too. */
                rejudge?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found, whether verified or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            404: components["responses"]["Refused"];
        };
    };
    listChecks: {
        parameters: {
            query?: {
                /** @description Verdicts, separated by commas. */
                verdict?: string;
                area?: string;
                /** @description A part of the id of a clause. */
                clause?: string;
                /** @description A text in any casing; bodies, paths and headers of exchanges are searched, too. */
                text?: components["parameters"]["text"];
                offset?: components["parameters"]["offset"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckList"];
                };
            };
            404: components["responses"]["Refused"];
        };
    };
    readCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                check: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckDetail"];
                };
            };
            404: components["responses"]["Refused"];
        };
    };
    readWaiverChoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                check: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lists that can, or why none can. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaiverChoice"];
                };
            };
            404: components["responses"]["Refused"];
        };
    };
    addWaiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                check: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Waiver"];
            };
        };
        responses: {
            /** @description The entry. The next run has it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenWaiver"];
                };
            };
            400: components["responses"]["Refused"];
            404: components["responses"]["Refused"];
            409: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    listExchanges: {
        parameters: {
            query?: {
                scenario?: string;
                /** @description Such as `409`, `4xx`, or `none` where no response came. */
                status?: string;
                /** @description A text in any casing; bodies, paths and headers of exchanges are searched, too. */
                text?: components["parameters"]["text"];
                offset?: components["parameters"]["offset"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeList"];
                };
            };
            404: components["responses"]["Refused"];
        };
    };
    readExchange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
                exchange: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exchange. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeDetail"];
                };
            };
            404: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    compareRuns: {
        parameters: {
            query: {
                /** @description Id of the earlier run. */
                since: string;
            };
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunChanges"];
                };
            };
            404: components["responses"]["Refused"];
            422: components["responses"]["Refused"];
        };
    };
    listProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run of the list. */
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check, also those without a fault. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofList"];
                };
            };
            404: components["responses"]["Refused"];
        };
    };
}

export type AreaCount = components['schemas']['AreaCount']
export type ChangedCheck = components['schemas']['ChangedCheck']
export type ChangesOfKind = components['schemas']['ChangesOfKind']
export type CheckDetail = components['schemas']['CheckDetail']
export type CheckItem = components['schemas']['CheckItem']
export type CheckList = components['schemas']['CheckList']
export type Chunk = components['schemas']['Chunk']
export type CitedBy = components['schemas']['CitedBy']
export type Command = components['schemas']['Command']
export type Evidence = components['schemas']['Evidence']
export type Examination = components['schemas']['Examination']
export type ExchangeDetail = components['schemas']['ExchangeDetail']
export type ExchangeItem = components['schemas']['ExchangeItem']
export type ExchangeList = components['schemas']['ExchangeList']
export type Fact = components['schemas']['Fact']
export type Fault = components['schemas']['Fault']
export type LiveBegun = components['schemas']['LiveBegun']
export type LiveEnded = components['schemas']['LiveEnded']
export type LiveEvent = components['schemas']['LiveEvent']
export type LiveFailure = components['schemas']['LiveFailure']
export type LiveState = components['schemas']['LiveState']
export type Message = components['schemas']['Message']
export type OpenedSession = components['schemas']['OpenedSession']
export type OtherVerdict = components['schemas']['OtherVerdict']
export type ProofList = components['schemas']['ProofList']
export type ProofRow = components['schemas']['ProofRow']
export type QueuedRun = components['schemas']['QueuedRun']
export type RunChanges = components['schemas']['RunChanges']
export type RunEntry = components['schemas']['RunEntry']
export type RunList = components['schemas']['RunList']
export type RunOverview = components['schemas']['RunOverview']
export type SharedSetting = components['schemas']['SharedSetting']
export type StreamEvent = components['schemas']['StreamEvent']
export type TargetFileText = components['schemas']['TargetFileText']
export type Tone = components['schemas']['Tone']
export type Usage = components['schemas']['Usage']
export type VerdictCount = components['schemas']['VerdictCount']
export type Verification = components['schemas']['Verification']
export type VerifiedPart = components['schemas']['VerifiedPart']
export type Waiver = components['schemas']['Waiver']
export type WaiverChoice = components['schemas']['WaiverChoice']
export type WaiverList = components['schemas']['WaiverList']
export type Words = components['schemas']['Words']
export type WrittenWaiver = components['schemas']['WrittenWaiver']

// Written by `npm run docs` from the OpenAPI document.

export type AcceptRelationshipsAnswer = {
readonly items: readonly Relationship[];
};

export type AcceptRelationshipsBody = {
readonly proposals: readonly ({
readonly source: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly target: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
})[];
};

export type AcknowledgeAlertBody = {
/** Planned action of the user, as information for the team. */
readonly note?: string | null;
};

export type Acknowledgement = {
readonly at: string;
readonly userId: number | null;
/** User who acknowledged the alert. Null: the caller was not a user. */
readonly userName: string | null;
readonly note: string | null;
};

export type Activity = {
readonly kind: "RunSent" | "RunFailed" | "RunMissed" | "AnomalyDetected" | "SubscriptionCreated" | "TaskOpened" | "TaskResolved" | "ContractFailed" | "ContractRecovered";
readonly time: string;
/** Name of the query. For a data contract: its name. */
readonly queryName: string;
readonly projectId: number;
/** Null: the event is about a data contract. */
readonly subscriptionId: number | null;
readonly contractId: number | null;
readonly notificationId: number | null;
readonly taskId: number | null;
/** Reason of a failed run, from a closed list; or a description of the anomaly. */
readonly comment: string | null;
/** Rows of a sent run, of an anomaly or of a new task; or missed runs. For a data contract: rules that opened a task, or missed evaluations. */
readonly count: number | null;
};

export type AddDataContractRecipientsBody = {
readonly recipientIds: readonly number[];
};

export type AddProjectMemberBody = {
readonly userId?: number;
readonly userName?: string;
readonly role: "Viewer" | "Editor" | "ProjectAdmin";
};

export type AddRepositoryBody = {
/** Address for cloning over HTTPS, without user or password. */
readonly url: string;
/** Default `main`. */
readonly branch?: string;
};

export type AddSubscriptionRecipientsBody = {
readonly recipientIds: readonly number[];
};

export type AddTaskCommentAnswer = {
readonly id: number;
};

export type AddTaskCommentBody = {
readonly content: string;
};

export type AdminApiKey = {
readonly id: number;
readonly name: string;
/** First 16 characters of the key; for display only. */
readonly prefix: string;
readonly scopes: readonly ("Read" | "Execute")[];
/** Null for keys that were created before this list was required. */
readonly allowedProjectIds: readonly number[] | null;
readonly createdTime: string;
readonly lastUsedAt: string | null;
readonly expiresAt: string | null;
/** False if the key is revoked or expired, or if the state of its owner disables it. */
readonly isActive: boolean;
readonly isExpired: boolean;
readonly revokedAt: string | null;
/** 1, 3 or 14 if the key works and expires within that many days; else null. */
readonly endsWithinDays: number | null;
readonly replacedByKeyId: number | null;
readonly ownerUserId: number | null;
readonly ownerUserName: string | null;
readonly status: "Active" | "Inactive" | "Revoked";
readonly canRevoke: boolean;
};

export type AdminSetting = {
/** The value in effect. */
readonly value: string | null;
/** The value without a change at run time. */
readonly configuredValue: string | null;
readonly isSetAtRunTime: boolean;
/** Configuration sets this value. A change returns 409. */
readonly isLocked: boolean;
readonly needs: "Admin" | "SecurityAdmin";
};

export type AdminSettingChange = {
readonly id: number;
readonly setting: string;
/** Null: the configured value was in effect. */
readonly oldValue: string | null;
readonly newValue: string | null;
readonly changedAt: string;
readonly changedByUserName: string | null;
};

export type AdminSettings = {
readonly settings: {
readonly baseUrl: AdminSetting;
readonly defaultTimeZone: AdminSetting;
};
readonly llmConnection: LlmConnectionSetting;
readonly llmLimits: LlmLimitsSetting;
/** The last 200 changes, newest first. */
readonly history: readonly AdminSettingChange[];
};

export type AdminSettingsInput = {
/** Start of links in messages, with the `/svc` segment. Null: as configured. Needs an Admin. */
readonly baseUrl?: string | null;
/** Time zone of schedules without a time zone, such as Europe/Zagreb. Null: as configured. */
readonly defaultTimeZone?: string | null;
/** Connection to the language model. Null: as configured. Only an Admin may change it. */
readonly llmConnection?: {
readonly provider: "OpenAi" | "OpenAiCompatible" | "Anthropic" | "AzureOpenAi" | "Bedrock";
readonly api?: "Responses" | "ChatCompletions";
/** Base address of the API, such as https://llm.example.org/v1. */
readonly endpoint?: string | null;
readonly region?: string | null;
readonly model: string;
readonly fastModel?: string | null;
/** Absent or null: no prices. */
readonly prices?: {
readonly main: {
/** Price of one million tokens: input. */
readonly inputPerMillion: number;
/** Price of one million tokens: output. */
readonly outputPerMillion: number;
};
/** Null: the prices of `main`. */
readonly fast?: {
/** Price of one million tokens: input. */
readonly inputPerMillion: number;
/** Price of one million tokens: output. */
readonly outputPerMillion: number;
} | null;
} | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly apiKey?: string | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly awsAccessKeyId?: string | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly awsSecretAccessKey?: string | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly awsSessionToken?: string | null;
} | null;
/** Absent limits do not change. Null instead of the object: all limits as configured. */
readonly llmLimits?: {
/** Budget of the service per calendar month (UTC), in the currency of the configured prices. Null: no limit. */
readonly monthlyBudget?: number | null;
/** Tokens of the service per calendar month (UTC). Null: no limit. */
readonly monthlyTokens?: number | null;
/** Tokens of one user per day (UTC). */
readonly dailyTokensPerUser?: number;
/** Calls of all processes together per minute. */
readonly callsPerMinute?: number;
/** Tokens of all processes together per minute. */
readonly tokensPerMinute?: number;
/** Concurrent calls of all processes together. */
readonly maxConcurrentCalls?: number;
/** Time limit of one call with all its attempts, in seconds. */
readonly callTimeoutSeconds?: number;
/** Largest prompt in bytes: instructions and data together. */
readonly maxPromptBytes?: number;
} | null;
};

export type AiActor = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly name: string;
readonly instructions: string;
readonly state: "Draft" | "Active" | "Paused" | "Failed" | "Archived";
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly thinkCount: number;
readonly lastThinkAt: string | null;
/** Reason why the last think failed; null after a successful think. */
readonly lastFailure: string | null;
/** The plan that awaits a decision. */
readonly pendingPlanId: number | null;
readonly createdTime: string;
readonly additionalContext: string | null;
/** Cron expression of scheduled thinks; null: the actor thinks only on request. */
readonly thinkSchedule: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone: string;
/** The actor also thinks after a run of one of its subscriptions, at most once an hour. */
readonly isThinkingAfterRuns: boolean;
readonly maxQueries: number;
readonly maxSubscriptionsPerQuery: number;
readonly maxActionsPerPlan: number;
/** Tokens that the actor may use in a calendar month (UTC). */
readonly monthlyTokens: number;
/** The only recipients that the subscriptions and data contracts of the actor may notify. */
readonly defaultRecipientIds: readonly number[];
/** False: the actor saves new and refined queries without a plan. All other actions still need one. Only an Admin can change this value. */
readonly requiresApproval: boolean;
readonly createdByUserId: number | null;
readonly nextThinkAt: string | null;
/** Queries of the actor that are not archived. */
readonly queryCount: number;
readonly subscriptionCount: number;
readonly totalTokens: number;
readonly tokensThisMonth: number;
/** The think in progress. */
readonly openThinkId: number | null;
readonly queries: readonly ({
readonly queryId: number;
readonly name: string;
readonly isLocked: boolean;
readonly subscriptionCount: number;
})[];
/** The caller is the owner, a ProjectAdmin or an Admin, and may change the actor and start thinks. */
readonly canManage: boolean;
readonly updatedAt: string;
readonly version: number;
};

export type AiActorChange = {
readonly name: string;
readonly instructions: string;
readonly additionalContext?: string | null;
/** Cron expression of scheduled thinks; null: the actor thinks only on request. */
readonly thinkSchedule?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
/** The actor also thinks after a run of one of its subscriptions, at most once an hour. */
readonly isThinkingAfterRuns?: boolean;
readonly maxQueries?: number;
readonly maxSubscriptionsPerQuery?: number;
readonly maxActionsPerPlan?: number;
/** Tokens that the actor may use in a calendar month (UTC). */
readonly monthlyTokens?: number;
/** The only recipients that the subscriptions and data contracts of the actor may notify. */
readonly defaultRecipientIds?: readonly number[];
/** False: the actor saves new and refined queries without a plan. All other actions still need one. Only an Admin can change this value. */
readonly requiresApproval?: boolean;
};

export type AiActorInput = {
readonly projectId: number;
readonly dataSourceId: number;
readonly name: string;
readonly instructions: string;
readonly additionalContext?: string | null;
/** Cron expression of scheduled thinks; null: the actor thinks only on request. */
readonly thinkSchedule?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
/** The actor also thinks after a run of one of its subscriptions, at most once an hour. */
readonly isThinkingAfterRuns?: boolean;
readonly maxQueries?: number;
readonly maxSubscriptionsPerQuery?: number;
readonly maxActionsPerPlan?: number;
/** Tokens that the actor may use in a calendar month (UTC). */
readonly monthlyTokens?: number;
/** The only recipients that the subscriptions and data contracts of the actor may notify. */
readonly defaultRecipientIds?: readonly number[];
/** False: the actor saves new and refined queries without a plan. All other actions still need one. Only an Admin can change this value. */
readonly requiresApproval?: boolean;
/** Default true. False creates the actor as a draft. */
readonly isActive?: boolean;
};

export type AiActorSummary = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly name: string;
readonly instructions: string;
readonly state: "Draft" | "Active" | "Paused" | "Failed" | "Archived";
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly thinkCount: number;
readonly lastThinkAt: string | null;
/** Reason why the last think failed; null after a successful think. */
readonly lastFailure: string | null;
/** The plan that awaits a decision. */
readonly pendingPlanId: number | null;
readonly createdTime: string;
};

export type AiPlan = {
readonly id: number;
readonly actorId: number;
readonly actorName: string;
readonly projectId: number;
readonly projectName: string;
readonly status: "Pending" | "Applied" | "Rejected" | "Withdrawn" | "RevisionRequested" | "Expired";
readonly version: number;
readonly parentPlanId: number | null;
readonly thinkId: number;
readonly analysis: string;
readonly actionCount: number;
readonly createdTime: string;
readonly expiresAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
readonly comment: string | null;
/** Changes that the reviewer requested from the model. */
readonly feedback: string | null;
/** Observations of the model, in its own words. */
readonly findings: readonly string[];
/** Proposed actions that the service rejected, each with the reason. They are not in the plan. */
readonly discarded: readonly ({
readonly type: "CreateQuery" | "RefineQuery" | "CreateSubscription" | "ArchiveSubscription" | "CreateContract";
readonly reasoning: string;
readonly problem: string;
})[];
readonly actions: readonly AiPlanAction[];
/** Hash of the displayed plan. The approval request must contain it. Null once the plan is decided. */
readonly planHash: string | null;
/** The plan is pending, and the caller is an Approver or Admin who is not involved in it. */
readonly canDecide: boolean;
readonly canWithdraw: boolean;
readonly tokens: {
readonly input: number;
readonly output: number;
readonly isEstimated: boolean;
};
readonly model: string | null;
};

export type AiPlanAction = {
readonly id: number;
readonly type: "CreateQuery" | "RefineQuery" | "CreateSubscription" | "ArchiveSubscription" | "CreateContract";
/** Reason for the action, in the words of the model. */
readonly reasoning: string;
readonly isApplied: boolean;
/** Query of the action; null for a new query. */
readonly queryId: number | null;
readonly queryName: string | null;
/** The query is locked. The plan cannot be applied while it is locked. */
readonly isQueryLocked: boolean;
readonly description: string | null;
readonly sql: string | null;
/** Current SQL of the query that the action refines. */
readonly currentSql: string | null;
readonly cronExpression: string | null;
readonly timeZone: string | null;
readonly notificationTrigger: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange" | null;
readonly minimumRowCount: number | null;
readonly subscriptionId: number | null;
readonly schemaName: string | null;
readonly tableName: string | null;
readonly contractName: string | null;
readonly rules: readonly ({
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "AcceptedValues" | "Uniqueness";
readonly columns: readonly string[];
readonly config: { readonly [name: string]: unknown };
})[];
/** Recipients that would be notified. */
readonly recipients: readonly ({
readonly id: number;
readonly name: string;
})[];
/** Masked rows of the test run of the statement. Only readers of the project get them. */
readonly sample: {
readonly columns: readonly string[];
readonly rows: readonly (readonly unknown[])[];
readonly isTruncated: boolean;
} | null;
readonly resultQueryId: number | null;
readonly resultSubscriptionId: number | null;
readonly resultContractId: number | null;
};

export type AiPlanSummary = {
readonly id: number;
readonly actorId: number;
readonly actorName: string;
readonly projectId: number;
readonly projectName: string;
readonly status: "Pending" | "Applied" | "Rejected" | "Withdrawn" | "RevisionRequested" | "Expired";
readonly version: number;
readonly parentPlanId: number | null;
readonly thinkId: number;
readonly analysis: string;
readonly actionCount: number;
readonly createdTime: string;
readonly expiresAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
readonly comment: string | null;
};

export type AiThink = {
readonly id: number;
readonly actorId: number;
readonly origin: "Request" | "Refinement" | "Revision" | "Schedule" | "AfterRun";
readonly state: "Waiting" | "Working" | "Completed" | "Failed" | "Cancelled";
/** User who started the think. Null: a schedule or a run started it. */
readonly orderedByUserName: string | null;
readonly feedback: string | null;
readonly analysis: string | null;
/** Observations of the model, in its own words. */
readonly findings: readonly string[];
/** Proposed actions that the service rejected, each with the reason. They are not in the plan. */
readonly discarded: readonly ({
readonly type: "CreateQuery" | "RefineQuery" | "CreateSubscription" | "ArchiveSubscription" | "CreateContract";
readonly reasoning: string;
readonly problem: string;
})[];
/** Queries that the think saved immediately, because the actor needs no approval for queries. */
readonly applied: readonly ({
readonly type: "CreateQuery" | "RefineQuery" | "CreateSubscription" | "ArchiveSubscription" | "CreateContract";
readonly queryId: number;
readonly queryName: string;
})[];
readonly planId: number | null;
readonly failure: {
readonly code: string;
readonly message: string;
} | null;
readonly tokens: {
readonly input: number;
readonly output: number;
readonly isEstimated: boolean;
};
readonly model: string | null;
readonly jobId: string | null;
readonly orderedAt: string;
readonly startedAt: string | null;
readonly finishedAt: string | null;
};

export type Alert = {
readonly state: "Ok" | "Pending" | "Firing" | "Recovering";
readonly since: string;
/** Time of the last message that rows exist. Null: no message was sent. */
readonly toldAt: string | null;
/** Acknowledgement of the alert. Reminders stop until it clears. Null: no user acknowledged it. */
readonly acknowledgement: Acknowledgement | null;
};

export type AlertRule = {
/** Consecutive runs with rows until the alert fires and recipients are notified. */
readonly pendingRuns: number;
/** Consecutive runs without rows until the alert ends. */
readonly recoverRuns: number;
/** Minutes after the last message until a reminder is sent, while rows remain. Null: no reminders. */
readonly remindMinutes: number | null;
/** Recipients are also notified when the rows are gone. */
readonly tellsRecovery: boolean;
};

export type AnomalyChart = {
/** Runs that the caller may see, oldest first; at most 2,000. */
readonly points: readonly AnomalyPoint[];
/** More runs exist than the response contains. It contains the newest. */
readonly isCut: boolean;
/** Settings by which the counts are watched; null: they are not watched. */
readonly model: AnomalyWatch | null;
/** Runs in the history from which the expected count is computed now. */
readonly pointCount: number;
/** Runs that the history needs. */
readonly pointsNeeded: number;
};

export type AnomalyPoint = {
readonly notificationId: number;
readonly dueAt: string;
readonly resultCount: number;
readonly lower: number | null;
readonly upper: number | null;
/** Severity of the anomaly; null: the count was not unusual. */
readonly severity: "Low" | "Medium" | "High" | "Critical" | null;
readonly explanation: string | null;
/** Verdict of a user; null: no user has given one. */
readonly verdict: "Expected" | "Real" | null;
};

export type AnomalyWatch = {
/** `Robust` learns the level, the trend, daily, weekly and monthly patterns, and the variation of the counts. `Percentage` allows a percentage of deviation from the median. */
readonly method: "Robust" | "Percentage";
/** For `Percentage`: allowed deviation in percent of the median of the counts. */
readonly percent: number;
/** For `Robust`: the expected range allows at least 5 (`Low`), 4 (`Medium`) or 3 (`High`) deviations from the expected count. */
readonly sensitivity: "Low" | "Medium" | "High";
/** Days of history from which the expected count is computed. */
readonly lookbackDays: number;
/** Runs that the history needs. With fewer runs, no count is reported as unusual. */
readonly minimumDataPoints: number;
/** Direction of unusual counts that are reported. */
readonly directions: "Both" | "Up" | "Down";
/** No anomaly is reported if both the count and the expected count are below this number. */
readonly floor: number;
/** ISO 3166-1 code of the country whose public holidays are not compared with ordinary days. */
readonly holidayCountry: "AD" | "AE" | "AG" | "AI" | "AL" | "AM" | "AO" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GT" | "GU" | "GW" | "GY" | "HK" | "HN" | "HR" | "HT" | "HU" | "IC" | "ID" | "IE" | "IL" | "IM" | "IN" | "IR" | "IS" | "IT" | "JE" | "JM" | "JP" | "KE" | "KM" | "KN" | "KR" | "KY" | "KZ" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MK" | "ML" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NZ" | "PA" | "PE" | "PF" | "PH" | "PK" | "PL" | "PM" | "PR" | "PT" | "PY" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SZ" | "TC" | "TD" | "TG" | "TH" | "TN" | "TO" | "TR" | "TT" | "TW" | "TZ" | "UA" | "UG" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "XK" | "YT" | "ZA" | "ZM" | "ZW" | null;
/** Further holidays, as dates of the time zone of the schedule, e.g. `2026-12-24`. */
readonly holidayDates: readonly string[];
};

export type Answer = {
readonly id: number;
readonly conversationId: number;
readonly projectId: number;
readonly dataSourceId: number | null;
readonly dataSourceName: string | null;
readonly question: string;
readonly state: "Waiting" | "Working" | "Answered" | "NeedsClarification" | "CannotAnswer" | "Refused" | "Failed" | "Cancelled";
/** Current step of the work; null before it starts and after it ends. */
readonly stage: "Matching" | "Grounding" | "Writing" | "Checking" | "Running" | null;
/** `Checked`: the statement of a golden example, confirmed by users. `Model`: a statement written by a language model. */
readonly basis: "Checked" | "Model" | null;
/** `High`: the statement is checked. `Medium`: it passed without repair or advice, and all candidates returned the same rows. `Low`: all other cases. */
readonly confidence: "High" | "Medium" | "Low" | null;
readonly sql: string | null;
readonly askedAt: string;
readonly finishedAt: string | null;
readonly feedback: "Right" | "Wrong" | null;
/** Assumptions of the model, in its own words. */
readonly assumptions: readonly string[];
/** Warnings of the service about the statement. */
readonly advisories: readonly string[];
/** Question of the model to the user. */
readonly clarification: {
readonly question: string;
readonly options: readonly string[];
} | null;
/** Data that is missing, if the data source cannot answer the question. */
readonly missing: string | null;
readonly failure: {
/** One of a closed list of codes, such as `NoSchema` or the name of a gate. */
readonly code: string;
readonly message: string;
} | null;
/** If the model wrote several statements: the number of statements that returned these rows. */
readonly votes: {
/** Candidates with the result of this answer. */
readonly agreed: number;
readonly of: number;
} | null;
/** Golden examples with similar questions. */
readonly similar: readonly ({
readonly goldenExampleId: number;
readonly question: string;
})[];
readonly columns: readonly ({
readonly name: string;
readonly kind: string;
readonly isMasked: boolean;
/** Reason why the column is masked, and how to change it; absent: not masked. */
readonly maskedReason?: string;
})[];
/** Up to 100 rows, masked. Null: the statement did not run, or the rows are no longer stored. */
readonly rows: readonly (readonly unknown[])[] | null;
readonly truncatedBy: "Rows" | "Bytes" | null;
/** Tokens of the answer and of its explanations. */
readonly tokens: {
readonly input: number;
readonly output: number;
readonly isEstimated: boolean;
};
/** Cost of the answer and of its explanations, in the currency of the configured prices. Null: no prices were configured, or no model was called. */
readonly cost: number | null;
readonly durationMs: number | null;
readonly jobId: string | null;
};

export type AnswerExplanation = {
readonly answerId: number;
/** Text of a language model; it may be wrong. */
readonly explanation: string;
/** Masked rows that the model received. */
readonly rowCount: number;
readonly tokens: {
readonly input: number;
readonly output: number;
readonly isEstimated: boolean;
};
/** Cost in the currency of the configured prices; null without prices. */
readonly cost: number | null;
readonly model: string;
};

export type AnswerFeedback = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number | null;
readonly dataSourceName: string | null;
readonly question: string;
readonly verdict: "Right" | "Wrong";
readonly comment: string | null;
/** SQL of the answer. */
readonly sql: string | null;
/** Right SQL, as the user gave it. */
readonly rightSql: string | null;
readonly basis: "Checked" | "Model" | null;
readonly userName: string | null;
readonly givenAt: string;
};

export type AnswerSummary = {
readonly id: number;
readonly conversationId: number;
readonly projectId: number;
readonly dataSourceId: number | null;
readonly dataSourceName: string | null;
readonly question: string;
readonly state: "Waiting" | "Working" | "Answered" | "NeedsClarification" | "CannotAnswer" | "Refused" | "Failed" | "Cancelled";
/** Current step of the work; null before it starts and after it ends. */
readonly stage: "Matching" | "Grounding" | "Writing" | "Checking" | "Running" | null;
/** `Checked`: the statement of a golden example, confirmed by users. `Model`: a statement written by a language model. */
readonly basis: "Checked" | "Model" | null;
/** `High`: the statement is checked. `Medium`: it passed without repair or advice, and all candidates returned the same rows. `Low`: all other cases. */
readonly confidence: "High" | "Medium" | "Low" | null;
readonly sql: string | null;
readonly askedAt: string;
readonly finishedAt: string | null;
readonly feedback: "Right" | "Wrong" | null;
};

export type ApiKey = {
readonly id: number;
readonly name: string;
/** First 16 characters of the key; for display only. */
readonly prefix: string;
readonly scopes: readonly ("Read" | "Execute")[];
/** Null for keys that were created before this list was required. */
readonly allowedProjectIds: readonly number[] | null;
readonly createdTime: string;
readonly lastUsedAt: string | null;
readonly expiresAt: string | null;
/** False if the key is revoked or expired, or if the state of its owner disables it. */
readonly isActive: boolean;
readonly isExpired: boolean;
readonly revokedAt: string | null;
/** 1, 3 or 14 if the key works and expires within that many days; else null. */
readonly endsWithinDays: number | null;
readonly replacedByKeyId: number | null;
};

export type ApiKeyExplanation = {
readonly works: boolean;
/** Reason why the key does not work; null if it works. */
readonly reason: string | null;
/** Scopes that the key has now. */
readonly scopes: readonly ("Read" | "Execute")[];
/** Rule that determines these scopes from the granted scopes. */
readonly scopeRule: string;
readonly projects: readonly ({
readonly projectId: number;
/** Null if the caller may not see the project. */
readonly name: string | null;
readonly right: "Read" | "Write" | null;
readonly rule: string;
})[];
readonly operations: readonly ({
readonly operation: string;
readonly summary: string;
readonly isAllowed: boolean;
readonly rule: string;
})[];
};

export type ApiKeyInput = {
readonly name: string;
readonly scopes: readonly ("Read" | "Execute")[];
readonly allowedProjectIds: readonly number[];
/** A date (its first instant in UTC) or a point in time. Absent, null or empty: the default lifetime. */
readonly expiresAt?: string | null;
};

export type ApiKeyUses = {
readonly useCount: number;
/** Most used first. */
readonly operations: readonly ({
/** Method and route, e.g. `GET /svc/api/projects/{id}`. */
readonly operation: string;
readonly useCount: number;
readonly lastUsedAt: string;
})[];
/** Days with at least one use, oldest first. */
readonly days: readonly ({
/** In UTC. */
readonly day: string;
readonly useCount: number;
})[];
};

export type ApplyDefinitionsAnswer = {
readonly results: readonly DefinitionResult[];
};

export type ApplyDefinitionsBody = {
readonly planId: string;
/** Values of the secrets to which the files refer, by name. Plans, logs and responses do not contain them. */
readonly secrets?: { readonly [name: string]: string };
/** Allows the plan to delete more than a fifth of the records that the manager applied. */
readonly force?: boolean;
};

export type ApplyDocumentationPatchBody = {
/** Version of the section that the caller reviewed; 0 if the section had no text. */
readonly sectionVersion: number;
};

export type ApproveAiPlanBody = {
/** The `planHash` of the plan that the caller reviewed. */
readonly planHash: string;
/** Actions to apply. Default: all. The other actions are not applied. */
readonly actionIds?: readonly number[];
readonly comment?: string | null;
};

export type ApproveChangeInput = {
/** The `changeHash` of the request that the caller reviewed. */
readonly changeHash: string;
readonly comment?: string | null;
};

export type ApproveQueryBody = {
/** The `approvalHash` of the request that the caller reviewed. */
readonly approvalHash: string;
readonly comment?: string | null;
};

export type AskQuestionBody = {
readonly question: string;
readonly dataSourceId?: number;
/** Whether to run the statement; default true. */
readonly isRun?: boolean;
};

export type AssignTaskBody = {
/** User who can read the project; null: unassigned. */
readonly assigneeUserId: number | null;
};

export type AttachedRecipient = {
readonly id: number;
readonly name: string;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly state: "Approved" | "AwaitingApproval" | "Rejected";
};

export type AuditEntry = {
readonly id: number;
/** <family>.<what happened>, e.g. keys.api_key_created. */
readonly event: string;
readonly occurredAt: string;
readonly actorKind: "user" | "api_key" | "mcp_caller" | "ai_actor" | "system" | "anonymous";
readonly actorUserId: number | null;
readonly actorUserName: string | null;
readonly apiKeyId: number | null;
readonly apiKeyName: string | null;
readonly clientAddress: string | null;
readonly subjectKind: string | null;
readonly subjectId: number | null;
/** Current name of the subject; null if it has no name or no longer exists. */
readonly subjectName: string | null;
readonly projectId: number | null;
readonly projectName: string | null;
readonly traceId: string | null;
readonly detail: { readonly [name: string]: unknown };
};

export type CallMcpAnswer = unknown;

export type CancelMigrationExecutionAnswer = {
readonly executionId: number;
readonly jobId: string | null;
};

export type Change = {
readonly id: number;
readonly kind: "Recipient" | "Query" | "Plan";
readonly targetId: number;
readonly targetName: string;
/** Plan of an AI actor, which has its own routes for reading and deciding; null for other kinds. */
readonly planId: number | null;
/** Null if the record belongs to no project. */
readonly projectName: string | null;
readonly status: "Pending" | "Approved" | "Rejected" | "Withdrawn";
/** The record itself is new, so no approved state exists. */
readonly isNew: boolean;
/** Parts that differ from the approved state. */
readonly changedParts: readonly ("NotificationType" | "Destination" | "CustomHeaders" | "Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly requestedByUserName: string | null;
/** The caller made the request and therefore cannot approve or reject it. */
readonly isOwn: boolean;
readonly createdTime: string;
/** Time of the last change by the requester. */
readonly submittedAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** Comment of the reviewer. */
readonly comment: string | null;
};

export type ChangeDefinitionSlugBody = {
/** Lower-case letters, digits and hyphens, e.g. `late-orders`. */
readonly slug: string;
};

export type ChangeDetail = {
readonly id: number;
readonly kind: "Recipient" | "Query" | "Plan";
readonly targetId: number;
readonly targetName: string;
/** Plan of an AI actor, which has its own routes for reading and deciding; null for other kinds. */
readonly planId: number | null;
/** Null if the record belongs to no project. */
readonly projectName: string | null;
readonly status: "Pending" | "Approved" | "Rejected" | "Withdrawn";
/** The record itself is new, so no approved state exists. */
readonly isNew: boolean;
/** Parts that differ from the approved state. */
readonly changedParts: readonly ("NotificationType" | "Destination" | "CustomHeaders" | "Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly requestedByUserName: string | null;
/** The caller made the request and therefore cannot approve or reject it. */
readonly isOwn: boolean;
readonly createdTime: string;
/** Time of the last change by the requester. */
readonly submittedAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** Comment of the reviewer. */
readonly comment: string | null;
readonly before: {
/** False if it can no longer be decrypted. */
readonly isReadable: boolean;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook" | null;
/** The destination, with its secrets masked. */
readonly parts: readonly ({
readonly label: string;
readonly value: string;
})[];
/** Names of the custom headers, each with a fingerprint of its value. */
readonly headers: readonly ({
readonly name: string;
readonly fingerprint: string;
})[];
/** Fingerprint of type, destination and headers together. */
readonly fingerprint: string | null;
} | null;
readonly after: RecipientView;
/** Both sides differ but look the same. An approval needs a comment that states how the reviewer checked the difference. */
readonly looksEqual: boolean;
/** Hash of the displayed change. The approval request must contain it. Null once the request is no longer pending. */
readonly changeHash: string | null;
/** Subscriptions that send to the recipient. */
readonly subscriptionCount: number;
};

export type ChangePasswordBody = {
readonly currentPassword: string;
readonly newPassword: string;
};

export type ChangeProjectMemberBody = {
readonly role: "Viewer" | "Editor" | "ProjectAdmin";
};

export type ChangeQueryFolderBody = {
/** Parent folder; null: the folder is at the top level. */
readonly parentId?: number | null;
/** Name without "/". It is unique within the parent folder. Upper and lower case count as equal. */
readonly name?: string;
};

export type ChangeRelationshipBody = {
readonly label?: string;
readonly cardinality?: "OneToOne" | "ManyToOne" | "ManyToMany" | "Unknown";
};

export type ChangeRepositoryBody = {
/** Address for cloning over HTTPS, without user or password. */
readonly url?: string;
/** Default `main`. */
readonly branch?: string;
};

export type ChangeSubscriptionsBody = {
readonly subscriptionIds: readonly number[];
readonly act: "Pause" | "Resume" | "Snooze" | "Archive" | "Reactivate";
/** End of the snooze, during which no recipients are notified; null ends the snooze now. */
readonly until?: string | null;
readonly reason?: string | null;
};

export type ChangeTasksBody = {
readonly taskIds: readonly number[];
readonly act: "Resolve" | "Reopen" | "Assign" | "Snooze" | "Prioritise";
/** Description of the resolution, in the user's own words. */
readonly resolutionNotes?: string | null;
/** User who can read the project; null: unassigned. */
readonly assigneeUserId?: number | null;
/** End of the snooze, within 90 days from now; null ends the snooze now. */
readonly snoozeUntil?: string | null;
readonly priority?: "Critical" | "High" | "Normal" | "Low";
};

export type CheckContractRulesAnswer = {
readonly results: readonly ({
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "Pattern" | "AcceptedValues" | "Referential" | "Uniqueness" | "Schema" | "CustomSql";
readonly severity: "Critical" | "High" | "Medium" | "Low";
readonly outcome: "Passed" | "Warned" | "Failed" | "Error";
/** Null: no rule could be evaluated. */
readonly score: number | null;
readonly failing: number | null;
readonly total: number | null;
readonly message: string | null;
/** At most 20 rows that broke the rule, with personal data masked. */
readonly sample: {
readonly columns: readonly string[];
readonly rows: readonly (readonly (string | number | boolean | null)[])[];
} | null;
/** Reason why a failed or warned rule has no sample; null for other rules. */
readonly sampleReason: string | null;
})[];
};

export type CheckContractRulesBody = {
readonly projectId: number;
readonly dataSourceId: number;
readonly schemaName: string;
readonly tableName: string;
readonly rules: readonly ContractRuleInput[];
};

export type CheckRelationshipAnswer = {
readonly checkedCount: number;
readonly missingCount: number;
/** More values exist than were checked. */
readonly isCut: boolean;
};

export type CodeReference = {
readonly id: number;
readonly repositoryId: number;
readonly repositoryName: string;
readonly path: string;
readonly line: number;
/** Name as in the data source. */
readonly table: string;
readonly kind: "RawSql" | "Model" | "Migration" | "Other";
/** Text of the line, at most 300 characters; null if it may contain a secret. */
readonly snippet: string | null;
};

export type CompareApprovalBody = {
/** Values by parameter name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type ConnectionTestResult = {
readonly ok: boolean;
/** The server and its version, or the failure. */
readonly message: string;
/** Stable code of the failure; null if the test succeeded. */
readonly code: string | null;
readonly warnings: readonly ({
readonly code: string;
readonly message: string;
})[];
/** Steps to fix the failure; null if the test succeeded. */
readonly next: string | null;
/** If the login has more rights than reading: SQL that creates a read-only role, to copy; else null. */
readonly remedy: string | null;
};

export type ContractEvaluation = {
readonly id: number;
readonly contractId: number;
readonly createdTime: string;
readonly trigger: "Schedule" | "Manual";
readonly status: "Queued" | "Running" | "Passed" | "Warned" | "Failed" | "Error";
readonly reason: "SourceNotLinked" | "SourceUnreachable" | "TableUnknown" | "ContractGone" | "Cancelled" | "Interrupted" | null;
/** Reason why a `Failed` evaluation failed. Null for other evaluations, and for evaluations by earlier versions of the service. */
readonly failedBecause: "RuleFailed" | "CriticalRuleFailed" | "ScoreTooLow" | null;
/** Null: no rule could be evaluated. */
readonly score: number | null;
/** Score below which the evaluation fails. It is also set if the evaluation passed. Null: the rules did not run, or an earlier version evaluated it. */
readonly failScore: number | null;
readonly totalRows: number | null;
readonly startedByUserName: string | null;
readonly startedAt: string | null;
readonly finishedAt: string | null;
};

export type ContractEvaluationDetail = {
readonly id: number;
readonly contractId: number;
readonly createdTime: string;
readonly trigger: "Schedule" | "Manual";
readonly status: "Queued" | "Running" | "Passed" | "Warned" | "Failed" | "Error";
readonly reason: "SourceNotLinked" | "SourceUnreachable" | "TableUnknown" | "ContractGone" | "Cancelled" | "Interrupted" | null;
/** Reason why a `Failed` evaluation failed. Null for other evaluations, and for evaluations by earlier versions of the service. */
readonly failedBecause: "RuleFailed" | "CriticalRuleFailed" | "ScoreTooLow" | null;
/** Null: no rule could be evaluated. */
readonly score: number | null;
/** Score below which the evaluation fails. It is also set if the evaluation passed. Null: the rules did not run, or an earlier version evaluated it. */
readonly failScore: number | null;
readonly totalRows: number | null;
readonly startedByUserName: string | null;
readonly startedAt: string | null;
readonly finishedAt: string | null;
readonly results: readonly RuleResult[];
};

export type ContractRule = {
readonly id: number;
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "Pattern" | "AcceptedValues" | "Referential" | "Uniqueness" | "Schema" | "CustomSql";
readonly columns: readonly string[];
/** Settings of the rule type. */
readonly config: {
/** Freshness: age in minutes above which the rule fails. */
readonly maxAgeMinutes?: number;
/** Freshness: age in minutes above which the rule warns. */
readonly warnAgeMinutes?: number | null;
/** Freshness: minutes by which a time may be in the future and still count. Later times are counted separately. Default: 5; for date columns 1440. */
readonly futureToleranceMinutes?: number | null;
/** Freshness: the rule passes for a table without rows. */
readonly emptyPasses?: boolean;
readonly minRows?: number | null;
readonly maxRows?: number | null;
/** NullRate: texts that count as missing, in addition to NULL. */
readonly missingValues?: readonly string[];
readonly min?: number | string | null;
readonly max?: number | string | null;
/** Pattern: regular expression that must match a part of the value. */
readonly pattern?: string;
readonly values?: readonly (string | number)[];
/** Referential: the other table. */
readonly schema?: string;
readonly table?: string;
/** Referential: columns of the other table, in the order of the columns of the rule. */
readonly columns?: readonly string[];
/** Uniqueness: rows with a NULL in the key are compared, too. */
readonly countsNulls?: boolean;
/** Schema: columns that the table must have. */
readonly expected?: readonly ({
readonly name: string;
readonly databaseType?: string | null;
/** False: the column must not accept NULL. */
readonly isNullable?: boolean | null;
})[];
readonly sql?: string;
readonly kind?: "Verdict" | "FailingRows";
};
readonly severity: "Critical" | "High" | "Medium" | "Low";
readonly weight: number;
readonly unit: "Rows" | "Percent";
readonly warnAbove: number | null;
readonly failAbove: number;
readonly isEnabled: boolean;
};

export type ContractRuleInput = {
readonly id?: number;
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "Pattern" | "AcceptedValues" | "Referential" | "Uniqueness" | "Schema" | "CustomSql";
readonly columns?: readonly string[];
/** Settings of the rule type. */
readonly config?: {
/** Freshness: age in minutes above which the rule fails. */
readonly maxAgeMinutes?: number;
/** Freshness: age in minutes above which the rule warns. */
readonly warnAgeMinutes?: number | null;
/** Freshness: minutes by which a time may be in the future and still count. Later times are counted separately. Default: 5; for date columns 1440. */
readonly futureToleranceMinutes?: number | null;
/** Freshness: the rule passes for a table without rows. */
readonly emptyPasses?: boolean;
readonly minRows?: number | null;
readonly maxRows?: number | null;
/** NullRate: texts that count as missing, in addition to NULL. */
readonly missingValues?: readonly string[];
readonly min?: number | string | null;
readonly max?: number | string | null;
/** Pattern: regular expression that must match a part of the value. */
readonly pattern?: string;
readonly values?: readonly (string | number)[];
/** Referential: the other table. */
readonly schema?: string;
readonly table?: string;
/** Referential: columns of the other table, in the order of the columns of the rule. */
readonly columns?: readonly string[];
/** Uniqueness: rows with a NULL in the key are compared, too. */
readonly countsNulls?: boolean;
/** Schema: columns that the table must have. */
readonly expected?: readonly ({
readonly name: string;
readonly databaseType?: string | null;
/** False: the column must not accept NULL. */
readonly isNullable?: boolean | null;
})[];
readonly sql?: string;
readonly kind?: "Verdict" | "FailingRows";
};
readonly severity?: "Critical" | "High" | "Medium" | "Low";
readonly weight?: number;
readonly unit?: "Rows" | "Percent";
readonly warnAbove?: number | null;
readonly failAbove?: number;
readonly isEnabled?: boolean;
};

export type Conversation = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
/** The first question of the conversation; empty before it. */
readonly title: string;
readonly answerCount: number;
readonly createdTime: string;
readonly lastAskedAt: string | null;
};

export type CreateConversationBody = {
readonly projectId: number;
};

export type CreateDataSourceBody = {
readonly name: string;
readonly description?: string | null;
readonly engine: string;
readonly connection: { readonly [name: string]: unknown };
readonly metadataOptions?: {
/** Whether metadata is read. */
readonly isEnabled?: boolean;
readonly maxTables?: number | null;
readonly maxColumnsPerTable?: number | null;
readonly tableNamesOnly?: boolean;
readonly includeSchemas?: readonly string[];
readonly excludeSchemas?: readonly string[];
/** Hours between automatic refreshes of the metadata; null: no automatic refresh. Default 24. */
readonly refreshEveryHours?: number | null;
};
};

export type CreateGlossaryTermBody = {
readonly projectId: number;
/** Null: the term applies to the whole project. */
readonly dataSourceId?: number | null;
readonly term: string;
readonly synonyms?: readonly string[];
readonly definition: string;
readonly target?: {
/** Empty if the engine has no schemas. */
readonly schema: string;
readonly table: string;
/** Null: the whole table. */
readonly column: string | null;
} | null;
/** SQL expression for one value over the rows of the target table, such as `sum(amount)`. */
readonly metricExpression?: string | null;
readonly isActive?: boolean;
};

export type CreateGoldenExampleBody = {
readonly projectId: number;
readonly dataSourceId: number;
readonly question: string;
/** `NoAnswer`: the data cannot answer the question, and any statement would be wrong. */
readonly expected?: "Rows" | "NoAnswer";
/** Statement that returns the right rows; null if `expected` is `NoAnswer`. */
readonly sql?: string | null;
readonly notes?: string | null;
readonly isActive?: boolean;
};

export type CreateProjectAnswer = {
readonly id: number;
readonly name: string;
readonly description: string | null;
readonly accessMode: "Open" | "Restricted";
readonly right: "Read" | "Write" | "Manage";
readonly isDemo: boolean;
readonly dataSourceCount: number;
readonly queryCount: number;
readonly createdTime: string;
readonly updatedAt: string;
readonly createdByUserId: number | null;
readonly version: number;
readonly projectId: number;
};

export type CreateProjectBody = {
readonly name: string;
readonly description?: string | null;
};

export type CreateQueryBody = {
readonly projectId: number;
readonly name: string;
readonly description?: string | null;
/** Steps in the order in which they run. */
readonly steps?: readonly QueryStepInput[];
/** SQL over the results of the steps (DuckDB). Without it, the result is that of the last step. */
readonly finalQuery?: string | null;
readonly parameters?: readonly QueryParameterInput[];
readonly folderId?: number | null;
};

export type CreateQueryFolderBody = {
readonly projectId: number;
/** Parent folder; null: the folder is at the top level. */
readonly parentId?: number | null;
/** Name without "/". It is unique within the parent folder. Upper and lower case count as equal. */
readonly name: string;
};

export type CreateRelationshipBody = {
readonly source: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly target: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly label?: string;
readonly cardinality?: "OneToOne" | "ManyToOne" | "ManyToMany" | "Unknown";
};

export type CreateSavedViewBody = {
readonly list: string;
readonly name: string;
/** Search, filters and sort order, as in the query string of the page. */
readonly search: string;
};

export type CreateSigningSecretAnswer = {
/** `whsec_` and base64. Only this response contains the secret. */
readonly secret: string;
readonly signing: "Off" | "On" | "Rotating" | "Unreadable";
};

export type CurrentUser = {
readonly isAuthenticated: boolean;
readonly userId: number | null;
readonly userName: string | null;
readonly displayName: string | null;
readonly email: string | null;
readonly roles: readonly string[];
readonly mustChangePassword: boolean;
readonly sessionExpiresAt: string | null;
readonly realtimeEnabled: boolean;
/** IANA name of the time zone of the pages. Times in the API are in UTC. */
readonly timeZone: string | null;
readonly theme: "System" | "Light" | "Dark" | null;
readonly externalLogin: {
readonly loginUrl: string;
} | null;
};

export type DataContract = {
readonly id: number;
readonly projectId: number;
readonly dataSourceId: number;
/** Empty if the engine has no schemas. */
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly description: string | null;
/** The schedule starts evaluations. */
readonly isEnabled: boolean;
/** Results that fail the contract. Default for a new contract: `AnyRule`. If a change omits it, the current value remains. */
readonly failsOn: "AnyRule" | "Score";
/** An evaluation with a lower score warns. */
readonly warnScore: number;
/** An evaluation with a lower score fails. */
readonly failScore: number;
readonly alertMode: "EveryFailure" | "OnChange";
/** Warnings notify recipients, as failures do. */
readonly alertsOnWarning: boolean;
/** Alert rule of the alert mode `OnChange`. Evaluations count as its runs, and failures as its rows. Null with `EveryFailure`. */
readonly alert: AlertRule | null;
/** Quiet hours of scheduled evaluations: their messages are sent at the end of the quiet hours. Null: no quiet hours. */
readonly quietHours: QuietHours | null;
/** A failed scheduled evaluation opens a task. Successful evaluations resolve it. */
readonly createTasks: boolean;
/** Hours within which the tasks of the contract must be resolved. */
readonly slaHours: number | null;
/** Failing rows are stored, masked and encrypted. */
readonly keepsSamples: boolean;
readonly projectName: string;
readonly dataSourceName: string;
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly schedule: {
readonly cronExpression: string;
readonly timeZone: string;
/** The schedule in words, from the parser that also fires it. */
readonly description: string;
/** The next due times; at most five. */
readonly nextTimes: readonly string[];
} | null;
readonly recipients: readonly AttachedRecipient[];
readonly rules: readonly ContractRule[];
/** State of the alert. Null without the alert mode `OnChange`, and before the first evaluation with a result. */
readonly alertState: Alert | null;
/** The last outage: due times whose evaluations did not start in time. */
readonly lastMissed: {
readonly id: number;
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly missedCount: number;
readonly noticedAt: string;
/** `NotStarted`: the run did not start in time. `PreviousRunning`: the run was skipped, because the previous run was still running. */
readonly reason: "NotStarted" | "PreviousRunning";
} | null;
readonly snoozedUntil: string | null;
readonly snoozeReason: string | null;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type DataContractChange = {
readonly projectId: number;
readonly dataSourceId: number;
/** Empty if the engine has no schemas. */
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly description?: string | null;
/** The schedule starts evaluations. */
readonly isEnabled?: boolean;
/** Results that fail the contract. Default for a new contract: `AnyRule`. If a change omits it, the current value remains. */
readonly failsOn?: "AnyRule" | "Score";
/** An evaluation with a lower score warns. */
readonly warnScore?: number;
/** An evaluation with a lower score fails. */
readonly failScore?: number;
readonly alertMode?: "EveryFailure" | "OnChange";
/** Warnings notify recipients, as failures do. */
readonly alertsOnWarning?: boolean;
/** Alert rule; only for the alert mode `OnChange`. Omitted members get their defaults. */
readonly alert?: {
/** Consecutive runs with rows until the alert fires and recipients are notified. */
readonly pendingRuns?: number;
/** Consecutive runs without rows until the alert ends. */
readonly recoverRuns?: number;
/** Minutes after the last message until a reminder is sent, while rows remain. Null: no reminders. */
readonly remindMinutes?: number | null;
/** Recipients are also notified when the rows are gone. */
readonly tellsRecovery?: boolean;
} | null;
/** Quiet hours of scheduled evaluations: their messages are sent at the end of the quiet hours. Null: no quiet hours. */
readonly quietHours?: QuietHoursInput | null;
/** A failed scheduled evaluation opens a task. Successful evaluations resolve it. */
readonly createTasks?: boolean;
/** Hours within which the tasks of the contract must be resolved. */
readonly slaHours?: number | null;
/** Failing rows are stored, masked and encrypted. */
readonly keepsSamples?: boolean;
/** Null: no schedule. Default for a new contract: daily at 6:00. If a change omits it, the current schedule remains. */
readonly cronExpression?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string | null;
readonly rules: readonly ContractRuleInput[];
};

export type DataContractInput = {
readonly projectId: number;
readonly dataSourceId: number;
/** Empty if the engine has no schemas. */
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly description?: string | null;
/** The schedule starts evaluations. */
readonly isEnabled?: boolean;
/** Results that fail the contract. Default for a new contract: `AnyRule`. If a change omits it, the current value remains. */
readonly failsOn?: "AnyRule" | "Score";
/** An evaluation with a lower score warns. */
readonly warnScore?: number;
/** An evaluation with a lower score fails. */
readonly failScore?: number;
readonly alertMode?: "EveryFailure" | "OnChange";
/** Warnings notify recipients, as failures do. */
readonly alertsOnWarning?: boolean;
/** Alert rule; only for the alert mode `OnChange`. Omitted members get their defaults. */
readonly alert?: {
/** Consecutive runs with rows until the alert fires and recipients are notified. */
readonly pendingRuns?: number;
/** Consecutive runs without rows until the alert ends. */
readonly recoverRuns?: number;
/** Minutes after the last message until a reminder is sent, while rows remain. Null: no reminders. */
readonly remindMinutes?: number | null;
/** Recipients are also notified when the rows are gone. */
readonly tellsRecovery?: boolean;
} | null;
/** Quiet hours of scheduled evaluations: their messages are sent at the end of the quiet hours. Null: no quiet hours. */
readonly quietHours?: QuietHoursInput | null;
/** A failed scheduled evaluation opens a task. Successful evaluations resolve it. */
readonly createTasks?: boolean;
/** Hours within which the tasks of the contract must be resolved. */
readonly slaHours?: number | null;
/** Failing rows are stored, masked and encrypted. */
readonly keepsSamples?: boolean;
/** Null: no schedule. Default for a new contract: daily at 6:00. If a change omits it, the current schedule remains. */
readonly cronExpression?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string | null;
readonly rules: readonly ContractRuleInput[];
readonly recipientIds?: readonly number[];
};

export type DataContractSummary = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly isEnabled: boolean;
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly ruleCount: number;
readonly snoozedUntil: string | null;
/** Result of the last evaluation; null: no evaluation has ended. */
readonly lastOutcome: "Passed" | "Warned" | "Failed" | "Error" | null;
readonly lastScore: number | null;
readonly lastEvaluatedAt: string | null;
readonly createdTime: string;
};

export type DataFile = {
/** Path of the file within the allowed folder, e.g. `sales/orders.csv`. */
readonly name: string;
/** Absolute path, for the connection of a data source. */
readonly path: string;
readonly engine: "DuckDB" | "SQLite";
/** Table name by which statements can read the file. */
readonly tableName: string;
readonly sizeBytes: number;
readonly modifiedAt: string;
};

export type DataQualityOverview = {
readonly contractCount: number;
readonly passedCount: number;
readonly warnedCount: number;
readonly failedCount: number;
readonly errorCount: number;
readonly unevaluatedCount: number;
/** At most 100 tables, the worst first. */
readonly tables: readonly ({
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly schemaName: string;
readonly tableName: string;
readonly contractCount: number;
/** Lowest score of the contracts of the table; null: none has a score. */
readonly score: number | null;
})[];
};

export type DataSource = {
readonly id: number;
readonly name: string;
readonly description: string | null;
/** PostgreSQL, MySQL (also for MariaDB), SQLite, DuckDB, SqlServer, ClickHouse, BigQuery, Snowflake, Databricks, Rest. */
readonly engine: string;
/** Settings without secrets. Lists also omit documents such as `openApi`. Null for callers who do not administer data sources. */
readonly connection: { readonly [name: string]: unknown } | null;
/** Names of saved settings whose values are never returned. Empty for callers who do not administer data sources. */
readonly savedSecrets: readonly string[];
/** The stored connection can no longer be decrypted. Enter it again. */
readonly needsConnection: boolean;
/** `privileged-login`: the source was saved before such logins were refused, and still runs. `remedy` is the SQL that creates a read-only role. Empty for callers who do not administer data sources. */
readonly warnings: readonly ({
readonly code: string;
readonly message: string;
readonly remedy: string | null;
})[];
readonly metadataOptions: MetadataOptions;
/** The data source is linked to at least one open project. */
readonly isOpenlyReachable: boolean;
/** Queries that use it, are not archived and are in projects that the caller can read. */
readonly queryCount: number;
/** Data migration may write to it. */
readonly areMigrationWritesAllowed: boolean;
readonly isDemo: boolean;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type DataSourceMetadata = {
readonly dataSourceId: number;
readonly engine: string;
readonly refreshedAt: string | null;
readonly schemas: readonly string[];
readonly tables: readonly ({
readonly schema: string;
readonly name: string;
readonly type: "Table" | "View";
readonly comment: string | null;
readonly columns: readonly ({
readonly name: string;
readonly databaseType: string;
readonly isNullable: boolean;
readonly defaultValue: string | null;
readonly comment: string | null;
})[];
readonly primaryKey: readonly string[];
readonly foreignKeys: readonly ({
readonly name: string;
readonly columns: readonly string[];
readonly toSchema: string;
readonly toTable: string;
readonly toColumns: readonly string[];
})[];
readonly indexes: readonly ({
readonly name: string;
readonly isUnique: boolean;
readonly isPrimary: boolean;
readonly columns: readonly string[];
})[];
})[];
/** A limit omitted tables. */
readonly areTablesCut: boolean;
/** A limit omitted columns. */
readonly areColumnsCut: boolean;
};

export type DecideLearnedPatternBody = {
readonly newStatus: "Approved" | "Rejected";
};

export type DefinitionDifference = {
readonly part: "Name" | "Description" | "Step" | "FinalQuery" | "Parameter";
/** Key of the step or name of the parameter; null for other parts. */
readonly key: string | null;
readonly change: "Added" | "Removed" | "Changed" | "Moved";
readonly before: string | StoredStep | QueryParameter | null;
readonly after: string | StoredStep | QueryParameter | null;
};

export type DefinitionFile = {
/** Path from the root of the folder, with "/" as separator: `projects/shop/queries/late-orders.yaml`. */
readonly path: string;
/** YAML 1.2, JSON, or the SQL of a `.sql` file. */
readonly content: string;
};

export type DefinitionFileInput = {
/** Path from the root of the folder, with "/" as separator: `projects/shop/queries/late-orders.yaml`. */
readonly path: string;
/** YAML 1.2, JSON, or the SQL of a `.sql` file. */
readonly content: string;
};

export type DefinitionObject = {
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
readonly id: number;
readonly slug: string;
/** Manager that applied the record; null: it was not applied from a file. */
readonly manager: string | null;
readonly appliedAt: string | null;
/** The record can be changed only through its file. Any other change returns 409 `managed-from-code`. */
readonly isManaged: boolean;
};

export type DefinitionPlan = {
readonly planId: string;
readonly expiresAt: string;
/** Steps in the order in which they are applied. */
readonly steps: readonly DefinitionStep[];
};

export type DefinitionResult = {
/** The file of the record. */
readonly path: string;
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
/** Slug of its project. */
readonly project: string | null;
readonly slug: string;
readonly action: "Create" | "Update" | "Unchanged" | "Drifted" | "Replace" | "AwaitsApproval" | "Orphaned" | "Delete" | "NotAllowed" | "NotDeletable";
/** `Nothing`: no change was necessary. `Released`: the file of the record no longer exists, and users may change the record again. `Skipped`: a record that this one depends on failed. */
readonly outcome: "Done" | "AwaitsApproval" | "Nothing" | "Released" | "Failed" | "Skipped" | "NotAllowed";
/** Problem code of the failure. */
readonly code: string | null;
readonly detail: string | null;
/** Members that caused the failure. */
readonly members: readonly ({
readonly path: string;
readonly message: string;
})[];
};

export type DefinitionStep = {
/** The file of the record. */
readonly path: string;
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
/** Slug of its project. */
readonly project: string | null;
readonly slug: string;
/** `Drifted`: a user changed the record after it was applied, and applying restores it. `Replace`: a new record replaces it. `AwaitsApproval`: the same change already awaits approval. `Orphaned`: the manager applied the record earlier, and its file no longer exists. */
readonly action: "Create" | "Update" | "Unchanged" | "Drifted" | "Replace" | "AwaitsApproval" | "Orphaned" | "Delete" | "NotAllowed" | "NotDeletable";
/** JSON pointers of the members that change. */
readonly members: readonly string[];
/** Applying the step creates an approval request. */
readonly needsApproval: boolean;
/** Names of the secrets that applying the step requires. */
readonly needsSecrets: readonly string[];
/** Reason why the step is not allowed or the record not deletable; for other actions, the effect on the record. */
readonly reason: string | null;
};

export type Delivery = {
readonly id: number;
readonly recipientId: number;
readonly recipientName: string;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly attempt: number;
readonly origin: "Run" | "Resend" | "Retry";
/** Name of the user who requested this attempt. */
readonly orderedBy: string | null;
readonly state: "Queued" | "Sending" | "Sent" | "Failed" | "Unknown" | "Skipped";
readonly reason: string | null;
/** Steps to fix the reason, if known. */
readonly remedy: string | null;
/** Differences between the sent message and the requested one. */
readonly notes: readonly string[];
/** Same id for all attempts to send this message. A signed webhook contains it as `webhook-id`. */
readonly messageId: string;
/** Id of the created item in the other system, such as the key of an issue. */
readonly remoteId: string | null;
/** Rows of the message, if the recipient received its own rows. Null: the message was the same for all recipients. */
readonly rowCount: number | null;
readonly bytesSent: number | null;
/** Due time of a requested attempt. */
readonly dueAt: string | null;
readonly startedAt: string;
readonly finishedAt: string | null;
/** Only for Admin and SecurityAdmin. */
readonly httpClass?: string | null;
/** Only for Admin and SecurityAdmin. */
readonly durationMs?: number | null;
};

export type DiscoverRelationshipsAnswer = {
readonly proposals: readonly RelationshipProposal[];
};

export type DocumentImport = {
readonly sources: readonly ({
/** `settings`, or the name of a source of the embedding application. */
readonly source: string;
/** False: the source could not be read, and its documents did not change. */
readonly isRead: boolean;
/** True: another import read the source later and stored its reading first. This import changed nothing. */
readonly isSuperseded: boolean;
/** New and changed documents. */
readonly imported: number;
/** Documents that the source no longer contains. */
readonly archived: number;
/** The first 100 documents that were not imported. */
readonly leftOut: readonly ({
readonly path: string;
readonly reason: "too-large" | "not-utf-8" | "bad-path" | "too-many" | "unreadable" | "twice";
})[];
readonly leftOutCount: number;
})[];
};

export type DocumentationGeneration = {
readonly id: number;
readonly state: "Waiting" | "Running" | "Completed" | "Failed" | "Cancelled";
readonly isModelAsked: boolean;
readonly jobId: string | null;
/** Tables that the model describes in this generation. */
readonly tablesToDescribe: number;
readonly tablesDescribed: number;
readonly tokens: {
readonly input: number;
readonly output: number;
/** The provider did not count the tokens of some calls. Their upper bounds are included. */
readonly isEstimated: boolean;
};
/** Cost in the currency of the configured prices; null without prices. */
readonly cost: number | null;
readonly model: string | null;
/** Reason why the model stopped early. The content from records is complete. */
readonly failure: {
readonly code: string;
readonly message: string;
} | null;
readonly startedByUserName: string | null;
readonly createdTime: string;
readonly finishedAt: string | null;
};

export type DocumentationPatch = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number;
readonly patternId: number;
/** Kind of the documentation section that the patch extends. */
readonly section: string;
readonly table: string;
/** Current text of the section. */
readonly currentContent: string | null;
/** 0: the section has no text yet. */
readonly currentVersion: number;
/** Markdown that is appended to the section. */
readonly proposedContent: string;
readonly reasoning: string;
readonly supportingSignalCount: number;
readonly state: "Proposed" | "Applied" | "Rejected" | "Superseded";
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** The caller may write in the project. */
readonly canDecide: boolean;
readonly createdTime: string;
};

export type DocumentationSection = {
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly title: string;
/** Markdown. HTML in it is displayed as text. */
readonly content: string;
readonly provenance: "Facts" | "Model" | "Person";
/** Text that was generated after a user wrote the section. */
readonly proposedContent: string | null;
readonly proposedProvenance: "Facts" | "Model" | null;
readonly generatedAt: string | null;
readonly editedByUserName: string | null;
readonly editedAt: string | null;
readonly version: number;
};

export type DocumentationVersion = {
/** Number within the project, starting at 1. */
readonly number: number;
readonly cause: "Generated" | "Written" | "Taken" | "Patched" | "Earlier";
readonly madeByUserName: string | null;
readonly createdTime: string;
/** Sections whose text changed. */
readonly changes: readonly ({
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly title: string;
readonly provenance: "Facts" | "Model" | "Person";
readonly addedLines: number;
readonly removedLines: number;
})[];
};

export type DocumentationVersionDetail = {
/** Number within the project, starting at 1. */
readonly number: number;
readonly cause: "Generated" | "Written" | "Taken" | "Patched" | "Earlier";
readonly madeByUserName: string | null;
readonly createdTime: string;
readonly changes: readonly ({
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly title: string;
readonly provenance: "Facts" | "Model" | "Person";
readonly addedLines: number;
readonly removedLines: number;
/** Markdown text after the change. */
readonly content: string;
/** Markdown text before the change. Null: the section was new, or the earlier text is no longer stored. */
readonly previousContent: string | null;
})[];
};

export type DraftBody = {
readonly projectId: number;
/** Steps in the order in which they run. */
readonly steps: readonly QueryStepInput[];
/** SQL over the results of the steps (DuckDB). Without it, the result is that of the last step. */
readonly finalQuery?: string | null;
readonly parameters?: readonly QueryParameterInput[];
/** Values by parameter name. Omitted parameters get their defaults. */
readonly values?: { readonly [name: string]: string | number | boolean | null };
};

export type EvalComparison = {
readonly runId: number;
readonly withRunId: number;
/** Golden examples that always passed in this evaluation, but not in the other. */
readonly improved: readonly number[];
/** Golden examples that always passed in the other evaluation, but not in this one. */
readonly worsened: readonly number[];
readonly sameCount: number;
readonly onlyHereCount: number;
readonly onlyThereCount: number;
};

export type EvalResult = {
readonly id: number;
readonly goldenExampleId: number;
readonly repeat: number;
readonly question: string;
readonly expected: "Rows" | "NoAnswer";
readonly goldSql: string | null;
readonly sql: string | null;
readonly verdict: "Passed" | "WrongRows" | "WrongTables" | "NotRun" | "Abstained" | "AnsweredUnanswerable" | "Harness";
/** Missing, refused or different parts. Contains no values of rows. */
readonly detail: string | null;
readonly repairs: number;
readonly tokens: number;
readonly durationMs: number;
};

export type EvalRun = {
readonly id: number;
/** Null: examples of all projects. */
readonly projectId: number | null;
readonly projectName: string | null;
readonly state: "Waiting" | "Running" | "Completed" | "Stopped" | "Cancelled" | "Failed";
readonly failure: string | null;
readonly repeats: number;
readonly maxTokens: number | null;
/** Answers to compute: the number of questions multiplied by `repeats`. */
readonly caseCount: number;
readonly doneCount: number;
readonly verdicts: {
readonly Passed: number;
readonly WrongRows: number;
readonly WrongTables: number;
readonly NotRun: number;
readonly Abstained: number;
readonly AnsweredUnanswerable: number;
readonly Harness: number;
};
/** Share of right answers to questions with an answer. The verdict `Harness` does not count. Null before the first question. */
readonly accuracy: number | null;
/** Lower bound of the 95 % Wilson interval of `accuracy`. */
readonly accuracyLower: number | null;
readonly accuracyUpper: number | null;
/** Share of questions without an answer for which the model stated this. Null without such questions. */
readonly abstentionShare: number | null;
readonly repairs: number;
readonly tokens: number;
readonly model: string | null;
/** Required accuracy of the schedule that started it; null if a user started it. */
readonly minAccuracy: number | null;
readonly startedByName: string | null;
readonly createdTime: string;
readonly startedAt: string | null;
readonly finishedAt: string | null;
readonly jobId: string | null;
};

export type EvalSchedule = {
readonly projectId: number;
readonly projectName: string;
readonly schedule: Schedule;
readonly minAccuracy: number;
readonly repeats: number;
/** Tokens of all calls of the evaluation. It stops before a call that could exceed the limit. */
readonly maxTokens: number | null;
readonly isPaused: boolean;
/** `OwnerGone`: the service paused the schedule, because its owner is disabled or no longer an Admin. Null: a user paused it, or it is not paused. */
readonly pauseReason: "OwnerGone" | null;
/** User who last saved the schedule and owns its evaluations. */
readonly ownerName: string | null;
/** The accuracy of the last completed evaluation was lower than its `minAccuracy`. */
readonly isBelow: boolean;
readonly lastRun: {
readonly id: number;
readonly state: "Waiting" | "Running" | "Completed" | "Stopped" | "Cancelled" | "Failed";
readonly accuracy: number | null;
readonly createdTime: string;
readonly finishedAt: string | null;
} | null;
/** Last due time without an evaluation, and the reason. */
readonly lastSkip: {
readonly at: string;
readonly reason: "NoExamples" | "NotConfigured" | "BudgetSpent" | "StillRunning";
} | null;
readonly updatedAt: string;
readonly version: number;
};

export type EvaluateDataContractAnswer = {
readonly evaluationId: number;
readonly jobId: string;
};

export type ExportDefinitionsAnswer = {
/** Sorted by path. */
readonly files: readonly DefinitionFile[];
/** Records that the caller can see but not read in full. */
readonly omitted: readonly ({
/** The file of the record. */
readonly path: string;
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
/** Slug of its project. */
readonly project: string | null;
readonly slug: string;
readonly reason: string;
})[];
};

export type ExportDefinitionsBody = {
/** Projects to export. Default: all projects that the caller can read. */
readonly projects?: readonly string[];
/** Kinds to export. Default: all. */
readonly kinds?: readonly ("Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription")[];
};

export type ExportQueryBody = {
readonly format: "Csv" | "Xlsx" | "Json";
/** Values by parameter name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
};

export type ExternalUserInput = {
/** Optional if exactly one identity provider is configured. */
readonly issuer?: string;
readonly subject: string;
/** Unique; upper and lower case count as equal. No space at the start or end. */
readonly userName: string;
readonly displayName?: string | null;
readonly email?: string | null;
readonly roles?: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
};

export type FilePreview = {
/** Read settings. Null: the setting does not exist for this file format. */
readonly reading: {
readonly encoding: string | null;
readonly delimiter: string | null;
readonly quote: string | null;
/** Prefix of comment lines, which are skipped; null: none. */
readonly comment: string | null;
readonly hasHeader: boolean | null;
/** Lines that are skipped at the start of the file. */
readonly skippedLines: number | null;
readonly sheet: string | null;
readonly table: string | null;
};
readonly columns: readonly ({
readonly name: string;
/** Type in DuckDB, as in `types` of the settings. */
readonly type: string;
/** The values of this column in `rows` are masked. */
readonly isMasked: boolean;
})[];
/** The first rows, at most 20. */
readonly rows: readonly (readonly unknown[])[];
};

export type FiringItem = {
readonly kind: "Alert" | "Contract" | "FailedRun";
/** Name of the query or of the data contract. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
/** Null: the item is a data contract. */
readonly subscriptionId: number | null;
/** Null: the item is a subscription. */
readonly contractId: number | null;
readonly since: string;
/** Newest run with rows, or the failed run; null if the caller may see no such run. */
readonly notificationId: number | null;
/** Rows of the run `notificationId`. */
readonly rowCount: number | null;
/** The run `notificationId` has stored rows. */
readonly hasRows: boolean;
/** Reason of a failed run, from a closed list. */
readonly comment: string | null;
/** The alert is firing and can be acknowledged. */
readonly hasAlert: boolean;
readonly acknowledgement: Acknowledgement | null;
readonly snoozedUntil: string | null;
/** Time zone of the schedule; UTC without a schedule. */
readonly timeZone: string;
};

export type FirstSteps = {
readonly hasDataSource: boolean;
readonly hasProject: boolean;
readonly hasQuery: boolean;
/** The newest subscription; null if none exists. */
readonly subscriptionId: number | null;
/** The last run of at least one subscription was sent. */
readonly hasSent: boolean;
};

export type GenerateDocumentationAnswer = {
readonly jobId: string;
};

export type GetAntiforgeryTokenAnswer = {
readonly token: string;
};

export type GetConversationAnswer = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
/** The first question of the conversation; empty before it. */
readonly title: string;
readonly answerCount: number;
readonly createdTime: string;
readonly lastAskedAt: string | null;
readonly answers: readonly AnswerSummary[];
};

export type GetDefinitionSchemasAnswer = {
/** JSON Schema 2020-12, by kind. */
readonly schemas: { readonly [name: string]: { readonly [name: string]: unknown } };
};

export type GetDocumentationAnswer = {
readonly projectId: number;
readonly generatedAt: string | null;
readonly sections: readonly DocumentationSection[];
/** The last generation. */
readonly generation: DocumentationGeneration | null;
};

export type GetHealthAnswer = {
readonly status: "ok";
};

export type GetHomeActivityAnswer = {
readonly items: readonly Activity[];
readonly totalCount: number;
readonly pageCount: number;
};

export type GetInboxAnswer = {
readonly inbox: {
readonly destination: string;
/** Page on that machine that shows the received messages. */
readonly pageUrl: string;
} | null;
};

export type GetLastResultAnswer = {
readonly lastResult: LastResult | null;
};

export type GetMcpContextAnswer = {
readonly context: string;
/** The text omits some of the available information. */
readonly isCut: boolean;
};

export type GetProtectedResourceAnswer = {
readonly resource: string;
readonly authorization_servers?: readonly string[];
readonly scopes_supported: readonly string[];
readonly bearer_methods_supported: readonly string[];
readonly resource_name: string;
};

export type GetProtectedResourceOfMcpAnswer = {
readonly resource: string;
readonly authorization_servers?: readonly string[];
readonly scopes_supported: readonly string[];
readonly bearer_methods_supported: readonly string[];
readonly resource_name: string;
};

export type GetServerCardAnswer = {
readonly $schema: string;
readonly name: string;
readonly title: string;
readonly version: string;
readonly description: string;
readonly remotes: readonly ({
readonly type: string;
readonly url: string;
readonly supportedProtocolVersions: readonly string[];
readonly headers: readonly ({
readonly name: string;
readonly description: string;
readonly isRequired: boolean;
readonly isSecret: boolean;
})[];
})[];
};

export type GetServerCardOfMcpAnswer = {
readonly $schema: string;
readonly name: string;
readonly title: string;
readonly version: string;
readonly description: string;
readonly remotes: readonly ({
readonly type: string;
readonly url: string;
readonly supportedProtocolVersions: readonly string[];
readonly headers: readonly ({
readonly name: string;
readonly description: string;
readonly isRequired: boolean;
readonly isSecret: boolean;
})[];
})[];
};

export type GetSetupStatusAnswer = {
readonly isOpen: boolean;
};

export type GiveFeedbackBody = {
readonly verdict: "Right" | "Wrong";
readonly comment?: string;
readonly sql?: string;
};

export type GlossaryImport = {
readonly createdCount: number;
readonly changedCount: number;
readonly unchangedCount: number;
/** Refused records. With any refused record, nothing is saved. */
readonly refused: readonly ({
/** Line on which the record starts. Line 1 is the header row. */
readonly line: number;
readonly column: "term" | "synonyms" | "definition" | "dataSource" | "schema" | "table" | "column" | "metricExpression" | "isActive" | null;
readonly message: string;
})[];
};

export type GlossaryInput = {
/** Null: the term applies to the whole project. */
readonly dataSourceId?: number | null;
readonly term: string;
readonly synonyms?: readonly string[];
readonly definition: string;
readonly target?: {
/** Empty if the engine has no schemas. */
readonly schema: string;
readonly table: string;
/** Null: the whole table. */
readonly column: string | null;
} | null;
/** SQL expression for one value over the rows of the target table, such as `sum(amount)`. */
readonly metricExpression?: string | null;
readonly isActive?: boolean;
};

export type GlossaryRecheck = {
/** Terms that their data source checked. */
readonly checkedCount: number;
/** Checked terms that are broken. */
readonly brokenCount: number;
/** Terms whose data source was unavailable. Their marks do not change. */
readonly uncheckedCount: number;
/** Terms that were not checked within the time limit. Another request continues with them. */
readonly remainingCount: number;
};

export type GlossaryTerm = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceName: string | null;
/** Null: the term applies to the whole project. */
readonly dataSourceId: number | null;
readonly term: string;
readonly synonyms: readonly string[];
readonly definition: string;
readonly target: {
/** Empty if the engine has no schemas. */
readonly schema: string;
readonly table: string;
/** Null: the whole table. */
readonly column: string | null;
} | null;
/** SQL expression for one value over the rows of the target table, such as `sum(amount)`. */
readonly metricExpression: string | null;
readonly isActive: boolean;
/** The data source is no longer linked, its metadata does not contain the target, or the last check refused the term. */
readonly isBroken: boolean;
readonly brokenReason: string | null;
/** Time of the last check of the target by the data source. */
readonly checkedAt: string | null;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type GoldenCandidate = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number | null;
readonly dataSourceName: string | null;
readonly question: string;
/** Statement that a user confirmed as right. */
readonly sql: string;
readonly verdict: "Right" | "Wrong";
readonly comment: string | null;
readonly userName: string | null;
readonly state: "Proposed" | "Promoted" | "Dismissed";
/** Golden example that was created from the candidate. */
readonly goldenExampleId: number | null;
readonly proposedAt: string;
readonly decidedAt: string | null;
};

export type GoldenExample = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
/** Null: the data source no longer exists. */
readonly dataSourceName: string | null;
readonly dataSourceId: number;
readonly question: string;
/** `NoAnswer`: the data cannot answer the question, and any statement would be wrong. */
readonly expected: "Rows" | "NoAnswer";
/** Statement that returns the right rows; null if `expected` is `NoAnswer`. */
readonly sql: string | null;
readonly notes: string | null;
readonly isActive: boolean;
/** The data source is no longer linked, or the last check refused the statement. */
readonly isBroken: boolean;
readonly brokenReason: string | null;
/** Time of the last check of the statement. */
readonly checkedAt: string | null;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type GoldenRecheck = {
/** Examples whose statements were checked. */
readonly checkedCount: number;
/** Checked examples that are broken. */
readonly brokenCount: number;
/** Examples whose data source was unavailable. Their marks do not change. */
readonly uncheckedCount: number;
/** Examples that were not checked within the time limit. Another request continues with them. */
readonly remainingCount: number;
};

export type HomeKpis = {
readonly dataSources: number;
/** Data sources whose login has more rights than reading. 0 for callers who administer no data sources. */
readonly dataSourcesWithWarnings: number;
readonly projects: number;
readonly queries: number;
readonly activeSubscriptions: number;
/** Tasks that are open and not snoozed. */
readonly openTasks: number;
readonly runs: number;
/** Runs that failed. Runs that timed out do not count. */
readonly failedRuns: number;
/** A process that runs jobs has reported recently. Without one, no due work starts. */
readonly hasLiveWorker: boolean;
/** Time of the last report of a process that runs jobs. */
readonly lastHeartbeatAt: string | null;
/** A process with the role Scheduler has reported recently. Without one, no schedule fires. */
readonly hasLiveScheduler: boolean;
/** Queues without a live process that executes their jobs. These jobs wait. */
readonly unservedQueues: readonly string[];
/** Paused queues. Their jobs wait until a user resumes the queue on the job dashboard. */
readonly pausedQueues: readonly string[];
};

export type HomeTrends = {
readonly from: string;
readonly to: string;
readonly days: readonly ({
/** Day in UTC. The last day is not complete yet. */
readonly date: string;
readonly runs: number;
readonly sent: number;
/** Runs that failed or timed out. */
readonly failed: number;
/** Mean execution time of the queries in milliseconds; null if no time was measured. */
readonly averageMs: number | null;
/** 95th percentile of the execution time in milliseconds. */
readonly p95Ms: number | null;
})[];
readonly total: {
readonly runs: number;
readonly sent: number;
/** Runs that failed or timed out. */
readonly failed: number;
/** Mean execution time of the queries in milliseconds; null if no time was measured. */
readonly averageMs: number | null;
/** 95th percentile of the execution time in milliseconds. */
readonly p95Ms: number | null;
};
/** Figures of the time range of the same length directly before this one. */
readonly before: {
readonly runs: number;
readonly sent: number;
/** Runs that failed or timed out. */
readonly failed: number;
/** Mean execution time of the queries in milliseconds; null if no time was measured. */
readonly averageMs: number | null;
/** 95th percentile of the execution time in milliseconds. */
readonly p95Ms: number | null;
};
};

export type HomeUptime = {
/** Oldest first. The last hour is not complete yet. */
readonly hours: readonly ({
readonly from: string;
readonly runs: number;
readonly failed: number;
/** Due runs that did not start. The missed runs of one outage are assumed to be evenly spaced. */
readonly missed: number;
/** At least one due run did not start. */
readonly isMissed: boolean;
})[];
/** Share of successful runs among the scheduled runs that ended or were missed. Failed, timed-out and missed runs are not successful. Skipped runs do not count. Null without runs. */
readonly uptime: number | null;
};

export type HubNegotiation = {
readonly negotiateVersion: number;
/** Id of the connection. Clients of version 0 also use it as the token. */
readonly connectionId: string;
/** Secret that every further request of the connection sends as `id`. */
readonly connectionToken?: string;
readonly availableTransports: readonly ({
readonly transport: string;
readonly transferFormats: readonly string[];
})[];
};

export type ImportDataContractsBody = {
/** YAML 1.2 or JSON, at most 1 MB, without anchors, aliases and tags. */
readonly document: string;
readonly projectId: number;
readonly dataSourceId: number;
/** Reports the contracts that the import would create, without creating them. */
readonly dryRun?: boolean;
};

export type ImportGlossaryBody = {
readonly projectId: number;
/** CSV with a header row, as in the export. Cells are separated by `,`, `;` or tab. At most 2000 terms. */
readonly document: string;
/** Reports the result of the import, and saves nothing. */
readonly dryRun?: boolean;
};

export type ImportedDocument = {
readonly id: number;
/** Origin of the document: `settings`, the name of a source of the embedding application, or `upload`. */
readonly source: string;
/** Path of the document within the source, with slashes. */
readonly path: string;
readonly title: string;
readonly byteLength: number;
readonly importedAt: string;
/** True: a project admin uploaded the document, and may replace or delete it. False: an import created it. */
readonly isUploaded: boolean;
/** User name of the last uploader. */
readonly uploadedBy: string | null;
readonly content: string;
};

export type ImportedDocumentItem = {
readonly id: number;
/** Origin of the document: `settings`, the name of a source of the embedding application, or `upload`. */
readonly source: string;
/** Path of the document within the source, with slashes. */
readonly path: string;
readonly title: string;
readonly byteLength: number;
readonly importedAt: string;
/** True: a project admin uploaded the document, and may replace or delete it. False: an import created it. */
readonly isUploaded: boolean;
/** User name of the last uploader. */
readonly uploadedBy: string | null;
};

export type InstructDocumentationAnswer = {
/** Markdown without HTML, images and links. */
readonly content: string;
readonly model: string;
readonly tokens: {
readonly input: number;
readonly output: number;
/** The provider did not count the tokens of some calls. Their upper bounds are included. */
readonly isEstimated: boolean;
};
/** Cost in the currency of the configured prices; null without prices. */
readonly cost: number | null;
};

export type InstructDocumentationBody = {
readonly instruction: string;
/** Text to rewrite. Default: the text of the section. */
readonly content?: string;
};

export type InternalUserInput = {
/** Unique; upper and lower case count as equal. No space at the start or end. */
readonly userName: string;
readonly displayName?: string | null;
readonly email?: string | null;
/** The user must change it at the first sign-in. */
readonly password: string;
readonly roles?: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
};

export type LastResult = {
readonly notificationId: number;
readonly subscriptionId: number | null;
readonly ranAt: string;
readonly origin: "Schedule" | "Test";
/** User who started the run; null: the schedule started it. */
readonly startedByUserName: string | null;
/** Version that ran; null if it is unknown. */
readonly versionNumber: number | null;
/** Rows of the result. Not all of them may be stored. */
readonly resultCount: number | null;
readonly results: StoredResults;
};

export type LearnNowAnswer = {
readonly jobId: string;
};

export type LearnNowBody = {
readonly projectId: number;
};

export type LearnedPattern = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly kind: "SchemaCorrection" | "JoinPattern" | "CommonQuery" | "DocumentationGap" | "BusinessTerm";
readonly table: string;
readonly column: string | null;
/** The learned fact, in one sentence with names of the schema. */
readonly text: string;
/** For a common query: its statement, with `?` for each value. */
readonly statement: string | null;
readonly signalCount: number;
readonly callerCount: number;
readonly state: "Proposed" | "Approved" | "Rejected" | "Superseded";
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** Result of the replay at the decision. */
readonly replay: PatternReplay | null;
/** The caller may write in the project. */
readonly canDecide: boolean;
readonly createdTime: string;
readonly lastRefreshedAt: string;
};

export type LearningStats = {
readonly totalSignals: number;
readonly signals7d: number;
readonly signals30d: number;
/** Share of statements that succeeded; null without statements. */
readonly successRate: number | null;
readonly patternsApproved: number;
readonly patternsProposed: number;
readonly patternsRejected: number;
readonly patchesApplied: number;
readonly patchesProposed: number;
/** At most 50 tables with 3 or more signals, some of them refused. The highest refused share comes first. */
readonly problemTables: readonly ({
readonly projectId: number;
readonly projectName: string;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly table: string;
readonly signalCount: number;
readonly refusedCount: number;
})[];
};

export type LinkProjectDataSourceBody = {
readonly dataSourceId: number;
};

export type ListAiActorPlansAnswer = {
readonly items: readonly AiPlanSummary[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListAiActorsAnswer = {
readonly items: readonly AiActorSummary[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListAiPlansAnswer = {
readonly items: readonly AiPlanSummary[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListAiThinksAnswer = {
readonly items: readonly AiThink[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListAllApiKeysAnswer = {
readonly items: readonly AdminApiKey[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListApiKeysAnswer = {
readonly items: readonly ApiKey[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListAuditAnswer = {
readonly items: readonly AuditEntry[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListCandidatesAnswer = {
readonly items: readonly GoldenCandidate[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListChangesAnswer = {
readonly items: readonly Change[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListCodeReferencesAnswer = {
readonly items: readonly CodeReference[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListContractEvaluationsAnswer = {
readonly items: readonly ContractEvaluation[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListConversationsAnswer = {
readonly items: readonly Conversation[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListDataContractsAnswer = {
readonly items: readonly DataContractSummary[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListDataFilesAnswer = {
readonly items: readonly DataFile[];
/** More files exist than the response lists. */
readonly isCut: boolean;
/** Folders with files of data sources. Uploaded files are stored in the first one. */
readonly folders: readonly string[];
/** Largest file that may be uploaded, in bytes; 0: uploads are disabled. */
readonly uploadBytesMax: number;
};

export type ListDataSourceEnginesAnswer = {
readonly engines: readonly ({
readonly engine: string;
readonly label: string;
/** JSON Schema 2020-12. */
readonly settingsSchema: { readonly [name: string]: unknown };
readonly secretFields: readonly string[];
})[];
};

export type ListDataSourcesAnswer = {
readonly items: readonly DataSource[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListDocumentationPatchesAnswer = {
readonly items: readonly DocumentationPatch[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListDocumentationVersionsAnswer = {
readonly items: readonly DocumentationVersion[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListEvalResultsAnswer = {
readonly items: readonly EvalResult[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListEvalRunsAnswer = {
readonly items: readonly EvalRun[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListEvalSchedulesAnswer = {
readonly items: readonly EvalSchedule[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListFeedbackAnswer = {
readonly items: readonly AnswerFeedback[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListFiringAnswer = {
readonly items: readonly FiringItem[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListGlossaryAnswer = {
readonly items: readonly GlossaryTerm[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListGoldenExamplesAnswer = {
readonly items: readonly GoldenExample[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListImportedDocumentsAnswer = {
readonly items: readonly ImportedDocumentItem[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListLearnedPatternsAnswer = {
readonly items: readonly LearnedPattern[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListLlmCallsAnswer = {
readonly items: readonly LlmCallRecord[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMcpProjectsAnswer = {
readonly items: readonly ({
readonly projectId: number;
readonly name: string;
readonly overriddenFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
})[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMcpSettingsChangesAnswer = {
readonly items: readonly McpSettingsChange[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMcpToolsAnswer = {
readonly items: readonly McpTool[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMigrationDataSourcesAnswer = {
readonly items: readonly MigrationDataSource[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMigrationExecutionsAnswer = {
readonly items: readonly MigrationExecution[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMigrationJobsAnswer = {
readonly items: readonly MigrationJob[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListMissedRunsAnswer = {
readonly items: readonly MissedRuns[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListNoticesAnswer = {
readonly items: readonly Notice[];
readonly totalCount: number;
readonly pageCount: number;
readonly unreadCount: number;
};

export type ListNotificationsAnswer = {
readonly items: readonly Notification[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListOwnRunsAnswer = {
readonly items: readonly OwnRun[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListPendingApprovalsAnswer = {
readonly items: readonly Change[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListProjectDataSourcesAnswer = {
readonly items: readonly ProjectDataSource[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListProjectMembersAnswer = {
readonly items: readonly ProjectMember[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListProjectsAnswer = {
readonly items: readonly ProjectListItem[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListQueriesAnswer = {
readonly items: readonly QueryListItem[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListQueryChangesAnswer = {
readonly items: readonly QueryChange[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListQueryFoldersAnswer = {
readonly items: readonly QueryFolder[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListQueryMcpToolsAnswer = {
readonly items: readonly QueryMcpTool[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListQueryVersionsAnswer = {
readonly items: readonly QueryVersionListItem[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRecipientUsesAnswer = {
readonly items: readonly RecipientUse[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRecipientsAnswer = {
readonly items: readonly Recipient[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRejectedRowsAnswer = {
readonly items: readonly ({
readonly rowNumber: number;
readonly key: string | null;
readonly column: string | null;
readonly code: string;
})[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRelatedTasksAnswer = {
readonly items: readonly Task[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRelationshipsAnswer = {
readonly items: readonly Relationship[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRepositoriesAnswer = {
readonly items: readonly Repository[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListRolesAnswer = {
readonly items: readonly Role[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListSavedViewsAnswer = {
readonly items: readonly SavedView[];
};

export type ListSchemaChangesAnswer = {
readonly items: readonly SchemaChange[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListSessionsAnswer = {
readonly items: readonly Session[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListSetupRolesAnswer = {
readonly items: readonly Role[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListSubscriptionsAnswer = {
readonly items: readonly Subscription[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListTaskAssigneesAnswer = {
readonly items: readonly TaskAssigneeCandidate[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListTaskCommentsAnswer = {
readonly items: readonly TaskComment[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListTaskEventsAnswer = {
readonly items: readonly TaskEvent[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListTaskExecutionsAnswer = {
readonly items: readonly TaskExecution[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListTasksAnswer = {
readonly items: readonly Task[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListTowerHealthAnswer = {
readonly items: readonly TowerHealthEntry[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListUserSessionsAnswer = {
readonly items: readonly Session[];
readonly totalCount: number;
readonly pageCount: number;
};

export type ListUsersAnswer = {
readonly items: readonly User[];
readonly totalCount: number;
readonly pageCount: number;
};

export type LlmCallContent = {
readonly callId: number;
readonly instructions: string;
readonly data: readonly ({
readonly name: string;
readonly text: string;
})[];
/** Text of the model. Null: the response was incomplete, or repeated a key of the connection. */
readonly answer: string | null;
readonly keptUntil: string;
};

export type LlmCallRecord = {
readonly id: number;
readonly purpose: string;
readonly model: string;
readonly userId: number | null;
readonly userName: string | null;
readonly projectId: number | null;
readonly projectName: string | null;
readonly startedAt: string;
/** Null: the call is in progress. */
readonly durationMs: number | null;
/** `Answered`, `Refused`, `Lost`, or the code of a failure. Null: the call is in progress. */
readonly outcome: string | null;
readonly inputTokens: number | null;
readonly outputTokens: number | null;
/** The provider did not count the tokens. The numbers are upper bounds. */
readonly isEstimated: boolean;
/** Cost at the prices at the time of the call; null without prices. */
readonly cost: number | null;
/** SHA-256 of the prompt in hexadecimal. Equal prompts have equal hashes. */
readonly promptHash: string | null;
readonly isContentKept: boolean;
};

export type LlmConnectionSetting = {
readonly value: {
readonly provider: "OpenAi" | "OpenAiCompatible" | "Anthropic" | "AzureOpenAi" | "Bedrock";
readonly api: "Responses" | "ChatCompletions";
/** Null: the default address of the provider. */
readonly endpoint: string | null;
readonly region: string | null;
readonly model: string;
/** Null: the same as `model`. */
readonly fastModel: string | null;
/** Null: costs are not computed. */
readonly prices: {
readonly main: {
/** Price of one million tokens: input. */
readonly inputPerMillion: number;
/** Price of one million tokens: output. */
readonly outputPerMillion: number;
};
/** Null: the prices of `main`. */
readonly fast?: {
/** Price of one million tokens: input. */
readonly inputPerMillion: number;
/** Price of one million tokens: output. */
readonly outputPerMillion: number;
} | null;
} | null;
readonly hasApiKey: boolean;
readonly hasAwsAccessKeyId: boolean;
readonly hasAwsSecretAccessKey: boolean;
readonly hasAwsSessionToken: boolean;
} | null;
readonly isSetAtRunTime: boolean;
/** Configuration sets this value. A change returns 409. */
readonly isLocked: boolean;
/** False: `Svc:LLM:Enabled` is off, and no calls to the model are made. */
readonly isEnabled: boolean;
/** Value of `Svc:LLM:KeepsContent`. True: prompts and answers are stored for seven days, and Admins can read them. */
readonly keepsContent: boolean;
readonly needs: "Admin";
};

export type LlmLimits = {
/** Budget of the service per calendar month (UTC), in the currency of the configured prices. Null: no limit. */
readonly monthlyBudget: number | null;
/** Tokens of the service per calendar month (UTC). Null: no limit. */
readonly monthlyTokens: number | null;
/** Tokens of one user per day (UTC). */
readonly dailyTokensPerUser: number;
/** Calls of all processes together per minute. */
readonly callsPerMinute: number;
/** Tokens of all processes together per minute. */
readonly tokensPerMinute: number;
/** Concurrent calls of all processes together. */
readonly maxConcurrentCalls: number;
/** Time limit of one call with all its attempts, in seconds. */
readonly callTimeoutSeconds: number;
/** Largest prompt in bytes: instructions and data together. */
readonly maxPromptBytes: number;
};

export type LlmLimitsSetting = {
readonly value: LlmLimits;
readonly configuredValue: LlmLimits;
readonly isSetAtRunTime: boolean;
/** Configuration sets the limits. A change returns 409. */
readonly isLocked: boolean;
readonly needs: "SecurityAdmin";
};

export type LlmOwnUsage = {
readonly items: readonly ({
readonly day: string;
/** Requests to the provider, including retries. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count. They count with their upper bounds. */
readonly estimatedCalls: number;
/** Cost at the prices at the time of each call. Calls without prices cost 0. */
readonly cost: number;
})[];
readonly total: {
/** Requests to the provider, including retries. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count. They count with their upper bounds. */
readonly estimatedCalls: number;
/** Cost at the prices at the time of each call. Calls without prices cost 0. */
readonly cost: number;
};
/** Tokens of the caller today (UTC). */
readonly today: {
readonly spent: number;
/** Reserved for calls in progress. */
readonly reserved: number;
/** Null: no limit. */
readonly limit: number | null;
};
};

export type LlmStatus = {
readonly state: "Ready" | "NotConfigured" | "BudgetSpent" | "Failing";
/** Explanation of the state, and who can change it. */
readonly detail: string;
};

export type LlmTest = {
readonly ok: boolean;
readonly model: string;
readonly latencyMs: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** The provider did not count the tokens. The numbers are upper bounds. */
readonly isEstimated: boolean;
/** Code of the failure, such as `Unauthorised`. */
readonly failure: string | null;
/** Description of the failure. */
readonly detail: string | null;
};

export type LlmTestInput = {
/** Connection to the language model. Null: as configured. Only an Admin may change it. */
readonly llmConnection?: {
readonly provider: "OpenAi" | "OpenAiCompatible" | "Anthropic" | "AzureOpenAi" | "Bedrock";
readonly api?: "Responses" | "ChatCompletions";
/** Base address of the API, such as https://llm.example.org/v1. */
readonly endpoint?: string | null;
readonly region?: string | null;
readonly model: string;
readonly fastModel?: string | null;
/** Absent or null: no prices. */
readonly prices?: {
readonly main: {
/** Price of one million tokens: input. */
readonly inputPerMillion: number;
/** Price of one million tokens: output. */
readonly outputPerMillion: number;
};
/** Null: the prices of `main`. */
readonly fast?: {
/** Price of one million tokens: input. */
readonly inputPerMillion: number;
/** Price of one million tokens: output. */
readonly outputPerMillion: number;
} | null;
} | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly apiKey?: string | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly awsAccessKeyId?: string | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly awsSecretAccessKey?: string | null;
/** Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret. */
readonly awsSessionToken?: string | null;
};
};

export type LlmUsage = {
readonly by: "Day" | "Purpose" | "User" | "Project" | "Model";
readonly from: string;
readonly to: string;
readonly items: readonly ({
/** A day, a purpose, a model or an id; empty for calls without a user or project. */
readonly key: string;
readonly label: string;
/** Requests to the provider, including retries. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count. They count with their upper bounds. */
readonly estimatedCalls: number;
/** Cost at the prices at the time of each call. Calls without prices cost 0. */
readonly cost: number;
})[];
readonly total: {
/** Requests to the provider, including retries. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count. They count with their upper bounds. */
readonly estimatedCalls: number;
/** Cost at the prices at the time of each call. Calls without prices cost 0. */
readonly cost: number;
};
/** Tokens and cost of the whole service in this calendar month (UTC). */
readonly month: {
readonly spent: number;
/** Reserved for calls in progress. */
readonly reserved: number;
/** Null: no limit. */
readonly limit: number | null;
readonly money: {
readonly spent: number;
readonly reserved: number;
/** Null: no limit. */
readonly limit: number | null;
};
};
};

export type LockQueryBody = {
readonly isLocked: boolean;
};

export type LoginRequest = {
readonly username: string;
readonly password: string;
readonly rememberMe?: boolean;
};

export type McpProjectSettings = {
readonly projectId: number;
readonly projectName: string;
readonly overrides: {
/** Whether AI clients may call tools. */
readonly isEnabled: boolean | null;
/** Names of disabled tools. */
readonly disabledTools: readonly string[] | null;
/** Largest number of rows of one result. */
readonly maxRows: number | null;
/** Time limit of one statement, in seconds. */
readonly statementTimeoutSeconds: number | null;
/** Largest size of the rows of one result, in bytes. Applies to the text and to the structured content separately. */
readonly maxResultBytes: number | null;
/** Concurrent calls of one caller, per process. */
readonly maxConcurrentCalls: number | null;
/** Calls of one caller per minute, per process. */
readonly maxCallsPerMinute: number | null;
/** Additional patterns for column names and values to mask. The patterns of the configuration also apply. */
readonly piiPatterns: readonly string[] | null;
/** Whether the audit log stores the arguments of calls. */
readonly keepsStatements: boolean | null;
/** Whether the service learns from the use of data. Learned patterns take effect only after a user approves them. */
readonly learns: boolean | null;
/** `Published`: clients can use only queries that a SecurityAdmin published, in the published version. `All`: clients can use every saved query, in its current version. */
readonly savedQueries: "Published" | "All" | null;
/** Whether users and AI clients may ask questions in everyday language. */
readonly isAskEnabled: boolean | null;
/** Whether only statements that users have checked answer questions. Then no language model writes statements. */
readonly answersOnlyChecked: boolean | null;
/** `Never`: a language model receives no rows. `Masked`: it receives the masked rows of an answer if the user requests an explanation. */
readonly rowsToModel: "Never" | "Masked" | null;
/** Statements that a language model writes for one question. The answer is the result that most of them return. */
readonly candidates: number | null;
};
readonly effective: McpProjectValues;
/** Fields that the configuration locks. Changing one returns 409. */
readonly lockedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Fields whose saved value exceeds the current limit of the configuration. */
readonly clampedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Largest allowed value of each numeric field. */
readonly ceilings: { readonly [name: string]: number };
/** 0: the settings were never saved. */
readonly version: number;
readonly updatedAt: string | null;
readonly updatedByUserName: string | null;
};

export type McpProjectValues = {
/** Whether AI clients may call tools. */
readonly isEnabled: boolean;
/** Names of disabled tools. */
readonly disabledTools: readonly string[];
/** Largest number of rows of one result. */
readonly maxRows: number;
/** Time limit of one statement, in seconds. */
readonly statementTimeoutSeconds: number;
/** Largest size of the rows of one result, in bytes. Applies to the text and to the structured content separately. */
readonly maxResultBytes: number;
/** Concurrent calls of one caller, per process. */
readonly maxConcurrentCalls: number;
/** Calls of one caller per minute, per process. */
readonly maxCallsPerMinute: number;
/** Additional patterns for column names and values to mask. The patterns of the configuration also apply. */
readonly piiPatterns: readonly string[];
/** Whether the audit log stores the arguments of calls. */
readonly keepsStatements: boolean;
/** Whether the service learns from the use of data. Learned patterns take effect only after a user approves them. */
readonly learns: boolean;
/** `Published`: clients can use only queries that a SecurityAdmin published, in the published version. `All`: clients can use every saved query, in its current version. */
readonly savedQueries: "Published" | "All";
/** Whether users and AI clients may ask questions in everyday language. */
readonly isAskEnabled: boolean;
/** Whether only statements that users have checked answer questions. Then no language model writes statements. */
readonly answersOnlyChecked: boolean;
/** `Never`: a language model receives no rows. `Masked`: it receives the masked rows of an answer if the user requests an explanation. */
readonly rowsToModel: "Never" | "Masked";
/** Statements that a language model writes for one question. The answer is the result that most of them return. */
readonly candidates: number;
};

export type McpSettings = {
readonly values: McpValues;
readonly effective: McpValues;
readonly defaults: McpValues;
readonly tools: readonly ({
readonly name: string;
readonly title: string;
readonly description: string;
})[];
/** Fields that the configuration locks. Changing one returns 409. */
readonly lockedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Fields whose saved value exceeds the current limit of the configuration. */
readonly clampedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Largest allowed value of each numeric field. */
readonly ceilings: { readonly [name: string]: number };
/** 0: the settings were never saved. */
readonly version: number;
readonly updatedAt: string | null;
readonly updatedByUserName: string | null;
};

export type McpSettingsChange = {
readonly id: number;
readonly projectId: number | null;
readonly projectName: string | null;
readonly changedAt: string;
readonly changedByUserName: string | null;
readonly changes: readonly ({
readonly field: "isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions";
readonly before: unknown;
readonly after: unknown;
})[];
};

export type McpTool = {
readonly name: string;
readonly title: string;
readonly description: string;
/** JSON Schema of the arguments. */
readonly inputSchema: { readonly [name: string]: unknown };
/** False: disabled for this project. */
readonly isEnabled: boolean;
};

export type McpToolResult = {
readonly isError: boolean;
/** Text for the model. */
readonly text: string;
readonly structuredContent: { readonly [name: string]: unknown } | null;
readonly rowCount: number | null;
readonly resultBytes: number;
readonly executionTimeMs: number;
};

export type McpValues = {
/** Whether AI clients may call tools. */
readonly isEnabled: boolean;
/** Names of disabled tools. */
readonly disabledTools: readonly string[];
/** Largest number of rows of one result. */
readonly maxRows: number;
/** Time limit of one statement, in seconds. */
readonly statementTimeoutSeconds: number;
/** Largest size of the rows of one result, in bytes. Applies to the text and to the structured content separately. */
readonly maxResultBytes: number;
/** Concurrent calls of one caller, per process. */
readonly maxConcurrentCalls: number;
/** Calls of one caller per minute, per process. */
readonly maxCallsPerMinute: number;
/** Additional patterns for column names and values to mask. The patterns of the configuration also apply. */
readonly piiPatterns: readonly string[];
/** Whether the audit log stores the arguments of calls. */
readonly keepsStatements: boolean;
/** Whether the service learns from the use of data. Learned patterns take effect only after a user approves them. */
readonly learns: boolean;
/** `Published`: clients can use only queries that a SecurityAdmin published, in the published version. `All`: clients can use every saved query, in its current version. */
readonly savedQueries: "Published" | "All";
/** Whether users and AI clients may ask questions in everyday language. */
readonly isAskEnabled: boolean;
/** Whether only statements that users have checked answer questions. Then no language model writes statements. */
readonly answersOnlyChecked: boolean;
/** `Never`: a language model receives no rows. `Masked`: it receives the masked rows of an answer if the user requests an explanation. */
readonly rowsToModel: "Never" | "Masked";
/** Statements that a language model writes for one question. The answer is the result that most of them return. */
readonly candidates: number;
/** Text for every client, in addition to the built-in instructions. */
readonly instruction: string | null;
/** Descriptions that replace the built-in ones, by tool name. */
readonly toolDescriptions: { readonly [name: string]: string };
};

export type MessagePreview = {
readonly source: "LastRun" | "DryRun";
/** Run of the message. */
readonly notificationId: number | null;
readonly outcome: "Notify" | "NoResults" | "BelowThreshold" | "Silenced";
/** Null for a run that timed out, and for a message that reports no rows. */
readonly totalRows: number | null;
readonly attachment: {
readonly name: string;
readonly contentType: string;
readonly rowCount: number;
} | null;
/** With row routing: the number of rows of each recipient. Null: all recipients receive the same rows. */
readonly routed: {
/** Recipient whose message is shown; null: the message that all recipients receive. */
readonly recipientId: number | null;
readonly recipients: readonly ({
readonly id: number;
readonly name: string;
readonly rowCount: number;
})[];
/** Rows that no recipient would receive; null if the number is no longer known. */
readonly unroutedCount: number | null;
} | null;
readonly payloads: readonly PayloadPreview[];
};

export type MetadataOptions = {
/** Whether metadata is read. */
readonly isEnabled: boolean;
readonly maxTables: number | null;
readonly maxColumnsPerTable: number | null;
readonly tableNamesOnly: boolean;
readonly includeSchemas: readonly string[];
readonly excludeSchemas: readonly string[];
/** Hours between automatic refreshes of the metadata; null: no automatic refresh. Default 24. */
readonly refreshEveryHours: number | null;
};

export type MigrationDataSource = {
readonly id: number;
readonly name: string;
readonly engine: string;
/** The engine supports writing, and an Admin allows it. */
readonly canWrite: boolean;
};

export type MigrationExecution = {
readonly id: number;
readonly migrationJobId: number;
/** Name of the job at the start of the copy. */
readonly name: string;
readonly status: "Queued" | "Running" | "Completed" | "PartialSuccess" | "Failed" | "Cancelled";
readonly stage: "Validating" | "Copying" | "Applying" | "Committing" | null;
readonly reason: "source-failed" | "destination-failed" | "rejected-rows" | "key-not-unique" | "empty-source" | "too-many-deletes" | "schema-changed" | "writes-closed" | "timeout" | "cancelled" | "outcome-unknown" | null;
readonly message: string | null;
readonly trigger: "Schedule" | "Manual" | "Retry";
readonly isTrial: boolean;
readonly attempt: number;
readonly retryOf: number | null;
readonly rowsRead: number;
readonly bytesRead: number;
/** Row estimate of the source’s engine; null if it gave none. */
readonly estimatedRows: number | null;
readonly rowsInserted: number;
readonly rowsUpdated: number;
readonly rowsUnchanged: number;
readonly rowsDeleted: number;
readonly rowsRejected: number;
readonly unmaskedColumns: readonly string[];
readonly watermark: string | null;
readonly startedByUserId: number | null;
readonly jobId: string | null;
readonly traceId: string | null;
readonly createdTime: string;
readonly startedAt: string | null;
readonly finishedAt: string | null;
};

export type MigrationJob = {
readonly id: number;
readonly name: string;
readonly description: string | null;
readonly dataSourceId: number;
readonly source: {
readonly kind: "Query";
readonly sql: string;
} | {
readonly kind: "Table";
readonly schema: string;
readonly table: string;
};
readonly destinationDataSourceId: number;
readonly destination: {
readonly schema: string;
readonly table: string;
};
/** Creates the table if it does not exist. */
readonly createsTable: boolean;
readonly mode: "Insert" | "Upsert" | "Truncate" | "Sync";
/** Columns that identify a row; empty: the primary key of the destination. */
readonly keyColumns: readonly string[];
/** Mapping of source columns to destination columns; null: by equal names. */
readonly columns: readonly ({
readonly from: string;
readonly to: string;
})[] | null;
readonly incremental: {
readonly column: string;
readonly lookbackSeconds: number;
} | null;
readonly personalData: "Refuse" | "Mask" | "Copy";
readonly onRejectedRow: "Fail" | "Skip";
readonly rejectedRowsMax: number;
readonly minimumSourceRows: number;
readonly deletedShareMax: number;
readonly cronExpression: string | null;
readonly timeZone: string | null;
/** The schedule starts copies. */
readonly isEnabled: boolean;
readonly retriesMax: number;
readonly timeoutMinutes: number;
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly dataSourceName: string;
readonly destinationDataSourceName: string;
readonly isRunning: boolean;
readonly missed: {
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly count: number;
} | null;
readonly lastExecution: {
readonly id: number;
readonly status: "Queued" | "Running" | "Completed" | "PartialSuccess" | "Failed" | "Cancelled";
readonly createdTime: string;
} | null;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type MigrationJobInput = {
readonly name: string;
readonly description?: string | null;
readonly dataSourceId: number;
readonly source: {
readonly kind: "Query";
readonly sql: string;
} | {
readonly kind: "Table";
readonly schema: string;
readonly table: string;
};
readonly destinationDataSourceId: number;
readonly destination: {
readonly schema: string;
readonly table: string;
};
/** Creates the table if it does not exist. */
readonly createsTable?: boolean;
readonly mode: "Insert" | "Upsert" | "Truncate" | "Sync";
/** Columns that identify a row; empty: the primary key of the destination. */
readonly keyColumns?: readonly string[];
/** Mapping of source columns to destination columns; null: by equal names. */
readonly columns?: readonly ({
readonly from: string;
readonly to: string;
})[] | null;
readonly incremental?: {
readonly column: string;
readonly lookbackSeconds: number;
} | null;
readonly personalData?: "Refuse" | "Mask" | "Copy";
readonly onRejectedRow?: "Fail" | "Skip";
readonly rejectedRowsMax?: number;
readonly minimumSourceRows?: number;
readonly deletedShareMax?: number;
readonly cronExpression?: string | null;
readonly timeZone?: string | null;
/** The schedule starts copies. */
readonly isEnabled?: boolean;
readonly retriesMax?: number;
readonly timeoutMinutes?: number;
};

export type MigrationPreview = {
readonly sourceColumns: readonly ({
readonly name: string;
readonly type: string;
readonly isPersonal: boolean;
})[];
/** Null: the request names no destination, or the destination does not exist. */
readonly destinationColumns: readonly ({
readonly name: string;
readonly type: string;
readonly isNullable: boolean;
/** The server computes the column. A copy cannot write it. */
readonly isGenerated: boolean;
})[] | null;
readonly validation: {
readonly isOk: boolean;
readonly issues: readonly ({
readonly severity: "Error" | "Warning";
readonly code: string;
readonly column: string | null;
readonly message: string;
})[];
readonly mapping: readonly ({
readonly from: string;
readonly to: string;
readonly fromType: string;
readonly toType: string;
readonly isPersonal: boolean;
readonly isMasked: boolean;
})[];
readonly keyColumns: readonly string[];
readonly estimatedRows: number | null;
readonly targetRows: number | null;
/** False: the copy creates the table, or is refused. */
readonly destinationExists: boolean;
} | null;
readonly rows: {
readonly columns: readonly ({
readonly name: string;
readonly kind: string;
readonly databaseType: string;
readonly isMasked: boolean;
/** Reason why the column is masked, and how to change it; null: not masked. */
readonly maskedReason: string | null;
})[];
readonly rows: readonly (readonly unknown[])[];
/** False: the source has more rows. */
readonly isComplete: boolean;
} | null;
};

export type MigrationPreviewInput = {
readonly dataSourceId: number;
readonly source: {
readonly kind: "Query";
readonly sql: string;
} | {
readonly kind: "Table";
readonly schema: string;
readonly table: string;
};
readonly destinationDataSourceId?: number;
readonly destination?: {
readonly schema: string;
readonly table: string;
};
/** Creates the table if it does not exist. */
readonly createsTable?: boolean;
readonly mode?: "Insert" | "Upsert" | "Truncate" | "Sync";
/** Columns that identify a row; empty: the primary key of the destination. */
readonly keyColumns?: readonly string[];
/** Mapping of source columns to destination columns; null: by equal names. */
readonly columns?: readonly ({
readonly from: string;
readonly to: string;
})[] | null;
readonly incremental?: {
readonly column: string;
readonly lookbackSeconds: number;
} | null;
readonly personalData?: "Refuse" | "Mask" | "Copy";
/** Also returns the first 50 rows, with personal data masked. */
readonly withRows?: boolean;
};

export type MigrationSummary = {
readonly jobs: number;
/** Copies that are queued or running. */
readonly running: number;
/** Copies that completed in the last 24 hours. */
readonly completed24h: number;
/** Copies that failed in the last 24 hours. */
readonly failed24h: number;
};

export type MigrationTables = {
readonly refreshedAt: string | null;
readonly schemas: readonly string[];
readonly tables: readonly ({
readonly schema: string;
readonly name: string;
readonly type: "Table" | "View";
})[];
/** A limit omitted tables, or metadata is disabled. */
readonly areTablesCut: boolean;
/** File names in the settings, including files that do not exist yet. Null: the data source has no files. */
readonly fileNames: readonly string[] | null;
};

export type MigrationValidation = {
readonly isOk: boolean;
readonly issues: readonly ({
readonly severity: "Error" | "Warning";
readonly code: string;
readonly column: string | null;
readonly message: string;
})[];
readonly mapping: readonly ({
readonly from: string;
readonly to: string;
readonly fromType: string;
readonly toType: string;
readonly isPersonal: boolean;
readonly isMasked: boolean;
})[];
readonly keyColumns: readonly string[];
readonly estimatedRows: number | null;
readonly targetRows: number | null;
/** False: the copy creates the table, or is refused. */
readonly destinationExists: boolean;
};

export type MissedRuns = {
readonly id: number;
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly missedCount: number;
readonly noticedAt: string;
/** `NotStarted`: the run did not start in time. `PreviousRunning`: the run was skipped, because the previous run was still running. */
readonly reason: "NotStarted" | "PreviousRunning";
};

export type MoveQueriesAnswer = {
/** Moved queries. Queries that were already in the folder do not count. */
readonly movedCount: number;
};

export type MoveQueriesBody = {
readonly queryIds: readonly number[];
readonly folderId: number | null;
};

export type NewApiKey = {
readonly id: number;
readonly name: string;
/** First 16 characters of the key; for display only. */
readonly prefix: string;
readonly scopes: readonly ("Read" | "Execute")[];
/** Null for keys that were created before this list was required. */
readonly allowedProjectIds: readonly number[] | null;
readonly createdTime: string;
readonly lastUsedAt: string | null;
readonly expiresAt: string | null;
/** False if the key is revoked or expired, or if the state of its owner disables it. */
readonly isActive: boolean;
readonly isExpired: boolean;
readonly revokedAt: string | null;
/** 1, 3 or 14 if the key works and expires within that many days; else null. */
readonly endsWithinDays: number | null;
readonly replacedByKeyId: number | null;
readonly plainTextKey: string;
};

export type Notice = {
readonly id: number;
readonly kind: "RunFailed" | "RunMissed" | "RunOverlapped" | "SubscriptionStopped" | "RecipientGone" | "RowsUnrouted" | "MigrationFailed" | "MigrationMissed" | "QueryBroken" | "ContractError" | "ContractFailed" | "ContractRecovered" | "ActorFailed" | "ActorPaused" | "KeyExpires" | "EvaluationMissed" | "AccuracyDropped" | "AccuracyRecovered" | "EvaluationPaused" | "LlmBudget" | "ClockSetBack" | "TaskOpened" | "TaskAssigned" | "TaskCommented" | "TaskCountChanged" | "TaskWoke" | "TaskOverdue" | "TaskResolved" | "TaskReopened";
readonly text: string;
readonly subjectKind: "Subscription" | "Query" | "Contract" | "Task" | "MigrationJob" | "AiActor" | "EvaluationSchedule" | "ApiKey" | "Settings";
/** Id of the subject. For a schedule of evaluations: the id of its project. Null for the settings. */
readonly subjectId: number | null;
/** Name of the subject at the time of the notice. */
readonly subjectName: string;
/** Run of the notice. */
readonly notificationId: number | null;
readonly projectId: number | null;
readonly createdTime: string;
readonly readAt: string | null;
};

export type Notification = {
readonly id: number;
readonly subscriptionId: number | null;
/** Data contract whose evaluation the run reports. */
readonly contractId: number | null;
readonly queryId: number | null;
readonly queryName: string;
/** Version of the query that ran; null if it is unknown. */
readonly queryVersionId: number | null;
/** Number of the version `queryVersionId`. */
readonly versionNumber: number | null;
readonly projectId: number;
readonly origin: "Schedule" | "Test";
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
/** Reason why a `Silenced` run sent nothing. */
readonly silencedBy: "StillFiring" | "AlertPending" | "Snoozed" | "QuietHours" | "Baseline" | "NothingChanged" | "NothingRouted" | null;
/** Reason for the end of the run, from a closed list. Callers who may read the query also get the message of the database. */
readonly comment: string | null;
/** Rows of the result. For a data contract: rules that did not pass. */
readonly resultCount: number | null;
/** Violations of all rules of a data contract that did not pass. A row counts once for each rule that it breaks. A Schema rule counts differences, and a CustomSql rule the number that it returns. Null for other runs, and if no rule counts violations. */
readonly violationCount: number | null;
/** With row routing: rows that no recipient received. Null for runs without row routing. */
readonly unroutedCount: number | null;
readonly executionTimeMs: number | null;
readonly dueAt: string;
readonly createdTime: string;
/** The run has a message, which quiet hours delay until this time. */
readonly heldUntil: string | null;
readonly sentAt: string | null;
readonly finishedAt: string | null;
/** Recovery time of a failed run: later attempts have sent its message to all recipients. */
readonly recoveredAt: string | null;
readonly recipientNames: readonly string[];
};

export type NotificationDetail = {
readonly id: number;
readonly subscriptionId: number | null;
/** Data contract whose evaluation the run reports. */
readonly contractId: number | null;
readonly queryId: number | null;
readonly queryName: string;
/** Version of the query that ran; null if it is unknown. */
readonly queryVersionId: number | null;
/** Number of the version `queryVersionId`. */
readonly versionNumber: number | null;
readonly projectId: number;
readonly origin: "Schedule" | "Test";
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
/** Reason why a `Silenced` run sent nothing. */
readonly silencedBy: "StillFiring" | "AlertPending" | "Snoozed" | "QuietHours" | "Baseline" | "NothingChanged" | "NothingRouted" | null;
/** Reason for the end of the run, from a closed list. Callers who may read the query also get the message of the database. */
readonly comment: string | null;
/** Rows of the result. For a data contract: rules that did not pass. */
readonly resultCount: number | null;
/** Violations of all rules of a data contract that did not pass. A row counts once for each rule that it breaks. A Schema rule counts differences, and a CustomSql rule the number that it returns. Null for other runs, and if no rule counts violations. */
readonly violationCount: number | null;
/** With row routing: rows that no recipient received. Null for runs without row routing. */
readonly unroutedCount: number | null;
readonly executionTimeMs: number | null;
readonly dueAt: string;
readonly createdTime: string;
/** The run has a message, which quiet hours delay until this time. */
readonly heldUntil: string | null;
readonly sentAt: string | null;
readonly finishedAt: string | null;
/** Recovery time of a failed run: later attempts have sent its message to all recipients. */
readonly recoveredAt: string | null;
readonly failure: {
/** Step that failed; null for the final query. */
readonly stepOrder: number | null;
/** Message of the database without values of rows. If the message could contain values, it is the class of the error. */
readonly message: string;
/** Line in the text of the step, starting at 1. */
readonly line: number | null;
/** Column in that line, starting at 1. */
readonly column: number | null;
/** Text of that line in the version that ran. */
readonly sqlLine: string | null;
} | null;
readonly projectName: string;
readonly previousResultCount: number | null;
readonly startedAt: string | null;
readonly deliveries: readonly Delivery[];
/** The message is still stored, so that unsent deliveries can be sent again. */
readonly isMessageKept: boolean;
readonly results: {
readonly columns: readonly string[];
readonly rows: readonly (readonly unknown[])[];
readonly isTruncated: boolean;
} | null;
readonly traceId: string | null;
};

export type OdcsImport = {
/** One contract for each table of the document. */
readonly contracts: readonly ({
/** Null: the contract was not created, because the request was a `dryRun`. */
readonly id: number | null;
readonly name: string;
readonly schemaName: string;
readonly tableName: string;
readonly ruleCount: number;
/** False: evaluations end as `Error` until the data source has the table. */
readonly tableExists: boolean;
})[];
/** Parts of the document that became rules. */
readonly read: readonly ({
/** JSON pointer into the document. */
readonly path: string;
readonly note: string;
})[];
/** Parts that are not evaluated. They are stored, and an export contains them again. */
readonly kept: readonly ({
/** JSON pointer into the document. */
readonly path: string;
readonly note: string;
})[];
/** Parts that were not imported, with the reason. */
readonly refused: readonly ({
/** JSON pointer into the document. */
readonly path: string;
readonly note: string;
})[];
};

export type OwnRun = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
/** Null: the run of a draft, even if the draft belongs to a saved query. */
readonly queryId: number | null;
readonly queryName: string | null;
/** Version that ran; null: the executed text is not a stored version. */
readonly versionNumber: number | null;
readonly steps: readonly ({
readonly dataSourceId: number;
/** Null if the data source is no longer linked to the project. */
readonly dataSourceName: string | null;
readonly name: string | null;
readonly sql: string;
})[];
readonly finalQuery: string | null;
readonly outcome: "Succeeded" | "Failed" | "Stopped";
/** Reason of the failure, without values from the data. */
readonly message: string | null;
readonly rowCount: number | null;
readonly durationMs: number;
readonly ranAt: string;
};

export type PatternReplay = {
readonly replayedAt: string;
/** Golden examples of the data source whose statements use the tables of the pattern. */
readonly exampleCount: number;
/** Examples that the data source checked. */
readonly checkedCount: number;
/** Examples whose statements agree with the pattern. */
readonly agreeing: number;
/** Examples whose statements contradict the pattern. */
readonly contradicting: number;
/** Examples whose statements a gate refuses now. */
readonly broken: number;
readonly examples: readonly ({
readonly goldenExampleId: number;
readonly relation: "Agrees" | "Contradicts" | "Neither";
/** Result of the gates for the statement now. `Unchecked`: the statement was not checked within the time limit. */
readonly check: "Passed" | "Failed" | "Unchecked";
})[];
};

export type PayloadPreview = {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly contentType: string;
/** For email only. */
readonly subject: string | null;
/** For email only: the text part without HTML. */
readonly text: string | null;
/** Body of the message as it would be sent. Null if a body template produces it and the caller may not see templates. */
readonly body: string | null;
readonly bytes: number | null;
/** False if a body template produced the body. */
readonly isDefault: boolean;
readonly findings: readonly ({
readonly code: string;
readonly text: string;
})[];
/** Sending adds three signature headers. */
readonly isSigned: boolean;
/** Names of the custom headers. Their values are secrets. */
readonly headerNames: readonly string[];
readonly recipients: readonly ({
readonly id: number;
readonly name: string;
/** Reason why the recipient would receive nothing. */
readonly problem: string | null;
})[];
};

export type Permissions = {
readonly canRead: boolean;
readonly canWrite: boolean;
readonly isAdmin: boolean;
/** Sorted. An Admin has all permissions. */
readonly permissions: readonly ("UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
readonly migrationsEnabled: boolean;
};

export type PlanDefinitionsBody = {
readonly files: readonly DefinitionFileInput[];
/** Name of the folder that manages the records. Default `default`. */
readonly manager?: string;
/** From then on, users can change the applied records only through their files, until an Admin releases them. Records without a file are released. */
readonly managed?: boolean;
/** Deletes records that the manager applied earlier and whose files no longer exist. */
readonly prune?: boolean;
/** Values of the secrets to which the files refer, by name. Plans, logs and responses do not contain them. */
readonly secrets?: { readonly [name: string]: string };
};

export type Preflight = {
/** No gate failed. */
readonly isReady: boolean;
readonly gates: readonly PreflightGate[];
};

export type PreflightGate = {
readonly gate: "parameters" | "statement" | "source" | "engine" | "masking" | "limits";
/** Step of the gate; null: the whole query. */
readonly stepOrder: number | null;
readonly isFinalQuery: boolean;
readonly verdict: "Passed" | "Failed" | "Warned" | "NotChecked";
/** Result of the gate. */
readonly message: string;
/** Next step for the user. */
readonly next: string | null;
/** Position in the text of the step or of the final query. */
readonly position: {
readonly line: number;
readonly column: number;
} | null;
};

export type PreviewDataFileBody = {
/** An entry of `files` in the connection of a DuckDB data source, such as `{"path": "/data/orders.csv", "delimiter": ";"}`. Its `name` is optional. */
readonly file: { readonly [name: string]: unknown };
};

export type PreviewMessagesBody = {
readonly source: "LastRun" | "DryRun";
/** Shows only the message of this recipient. */
readonly recipientId?: number | null;
/** With `LastRun`: the run to use instead of the last one. */
readonly notificationId?: number | null;
};

export type PreviewQueryBody = {
/** Values by parameter name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type PreviewQueryStepBody = {
/** Values by parameter name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type PreviewQueryVersionBody = {
/** Values by parameter name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type PreviewScheduleBody = {
/** Five fields (minute hour day month weekday), or six with seconds first. */
readonly cronExpression: string;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
};

export type PreviewTemplateBody = {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly bodyTemplate: string | null;
};

export type Problem = {
/** URI reference of the kind of problem. It leads to the entry of `code` at `/svc/help/errors`, unless it is `about:blank` or `/errors/…`. */
readonly type: string;
readonly title: string;
readonly status: number;
/** Description of the problem and the next step. */
readonly detail?: string;
/** Stable code for programs. The examples of each response list the known codes. */
readonly code?: string;
/** Id of this request in the logs. */
readonly traceId?: string;
/** One entry for each refused member. */
readonly errors?: readonly ({
/** JSON pointer into the body, or the name of the parameter. */
readonly path: string;
readonly message: string;
})[];
/** Text to copy that fixes the problem, e.g. the SQL of a role with fewer rights for a login with too many. */
readonly remedy?: string;
};

export type Project = {
readonly id: number;
readonly name: string;
readonly description: string | null;
readonly accessMode: "Open" | "Restricted";
readonly right: "Read" | "Write" | "Manage";
readonly isDemo: boolean;
readonly dataSourceCount: number;
readonly queryCount: number;
readonly createdTime: string;
readonly updatedAt: string;
readonly createdByUserId: number | null;
readonly version: number;
};

export type ProjectDataSource = {
readonly id: number;
readonly name: string;
readonly description: string | null;
readonly engine: string;
readonly linkedAt: string;
};

export type ProjectListItem = {
readonly id: number;
readonly name: string;
readonly description: string | null;
readonly accessMode: "Open" | "Restricted";
readonly right: "Read" | "Write" | "Manage";
readonly isDemo: boolean;
readonly dataSourceCount: number;
readonly queryCount: number;
readonly createdTime: string;
readonly updatedAt: string;
};

export type ProjectMember = {
readonly userId: number;
readonly userName: string;
readonly displayName: string | null;
readonly role: "Viewer" | "Editor" | "ProjectAdmin";
/** Whether the user may sign in. */
readonly isEnabled: boolean;
readonly addedAt: string;
readonly addedByUserId: number | null;
readonly version: number;
};

export type PromoteCandidateBody = {
readonly question?: string;
readonly sql?: string;
readonly notes?: string | null;
};

export type Query = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly name: string;
readonly description: string | null;
readonly folderId: number | null;
/** Path of its folder: names from the top level down, with "/" as separator. */
readonly folderPath: string | null;
/** Result of the last check after a change of the schema. */
readonly check: {
readonly verdict: "Passed" | "Failed" | "NotChecked";
/** Message of the engine; null if it accepted the query. */
readonly message: string | null;
readonly checkedAt: string;
} | null;
readonly isLocked: boolean;
readonly subscriptionCount: number;
readonly isDemo: boolean;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
/** Number of the stored definition. `version` counts every change of the record. Null until a new query is approved. */
readonly versionNumber: number | null;
readonly pendingVersion: {
readonly id: number;
readonly versionNumber: number;
readonly approvalId: number;
readonly requestedByUserName: string | null;
/** The caller requested the approval. Only the requester may withdraw or replace the version. */
readonly isOwn: boolean;
} | null;
/** User who saved the current definition; null: the service. */
readonly savedByUserName: string | null;
readonly savedAt: string;
/** User who created the query; null: the service. */
readonly createdByUserName: string | null;
readonly steps: readonly QueryStep[];
readonly finalQuery: string | null;
readonly parameters: readonly QueryParameter[];
readonly canEdit: boolean;
};

export type QueryApproval = {
readonly id: number;
readonly kind: "Recipient" | "Query" | "Plan";
readonly targetId: number;
readonly targetName: string;
/** Plan of an AI actor, which has its own routes for reading and deciding; null for other kinds. */
readonly planId: number | null;
/** Null if the record belongs to no project. */
readonly projectName: string | null;
readonly status: "Pending" | "Approved" | "Rejected" | "Withdrawn";
/** The record itself is new, so no approved state exists. */
readonly isNew: boolean;
/** Parts that differ from the approved state. */
readonly changedParts: readonly ("NotificationType" | "Destination" | "CustomHeaders" | "Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly requestedByUserName: string | null;
/** The caller made the request and therefore cannot approve or reject it. */
readonly isOwn: boolean;
readonly createdTime: string;
/** Time of the last change by the requester. */
readonly submittedAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** Comment of the reviewer. */
readonly comment: string | null;
readonly projectId: number;
readonly changeSource: "User" | "Restore" | "AiActor" | "Import";
/** Reason given by the requester. */
readonly changeReason: string | null;
readonly proposed: QueryDefinitionView;
/** Definition in use before the decision; null for a new query. */
readonly active: {
readonly versionId: number;
readonly versionNumber: number;
readonly name: string;
readonly description: string | null;
readonly steps: readonly ({
/** Identifies the step in all versions of the query, even if its position changes. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
/** Null if the data source is no longer linked to the project. */
readonly dataSourceName: string | null;
readonly isSourceLinked: boolean;
})[];
readonly finalQuery: string | null;
readonly parameters: readonly QueryParameter[];
} | null;
readonly parts: readonly DefinitionDifference[];
/** Hash of both definitions. The approval request must contain it. Null once the request is no longer pending. */
readonly approvalHash: string | null;
readonly usedBy: {
readonly subscriptionCount: number;
/** Distinct recipients of all its subscriptions. */
readonly recipientCount: number;
/** The first 50 subscriptions. */
readonly subscriptions: readonly ({
readonly subscriptionId: number;
readonly cronExpression: string;
readonly timeZone: string;
readonly ownerUserName: string | null;
readonly recipientNames: readonly string[];
})[];
};
/** The caller can read the project and may therefore see its rows. */
readonly canCompare: boolean;
};

export type QueryChange = {
/** Identifies the entry together with its kind. */
readonly id: number;
readonly kind: "Version" | "Locked" | "Unlocked" | "Moved" | "Published" | "Unpublished";
/** Version that was created or published. */
readonly versionId: number | null;
readonly versionNumber: number | null;
readonly source: "User" | "Restore" | "AiActor" | "Import" | null;
readonly byUserName: string | null;
readonly reason: string | null;
readonly status: "Active" | "Archived" | "PendingApproval" | "Rejected" | "Withdrawn" | null;
/** User who approved or rejected the version. */
readonly decidedByUserName: string | null;
readonly parts: readonly ("Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly at: string;
};

export type QueryDefinitionView = {
readonly versionId: number;
readonly versionNumber: number;
readonly name: string;
readonly description: string | null;
readonly steps: readonly ({
/** Identifies the step in all versions of the query, even if its position changes. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
/** Null if the data source is no longer linked to the project. */
readonly dataSourceName: string | null;
readonly isSourceLinked: boolean;
})[];
readonly finalQuery: string | null;
readonly parameters: readonly QueryParameter[];
};

export type QueryFolder = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly parentId: number | null;
readonly name: string;
/** Names from the top level down, with "/" as separator. */
readonly path: string;
readonly depth: number;
/** Queries in the folder and in its subfolders. */
readonly queryCount: number;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type QueryListItem = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly name: string;
readonly description: string | null;
readonly folderId: number | null;
/** Path of its folder: names from the top level down, with "/" as separator. */
readonly folderPath: string | null;
/** Result of the last check after a change of the schema. */
readonly check: {
readonly verdict: "Passed" | "Failed" | "NotChecked";
/** Message of the engine; null if it accepted the query. */
readonly message: string | null;
readonly checkedAt: string;
} | null;
readonly isLocked: boolean;
readonly subscriptionCount: number;
readonly isDemo: boolean;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
readonly stepCount: number;
readonly dataSourceNames: readonly string[];
readonly engines: readonly string[];
readonly isCrossDataSource: boolean;
};

export type QueryMcpTool = {
readonly queryId: number;
readonly queryName: string;
readonly projectId: number;
readonly projectName: string;
readonly isEnabled: boolean;
/** Null until the query is published for the first time. */
readonly name: string | null;
/** Name of the tool for clients; null while the query is not published. */
readonly toolName: string | null;
/** Null: the description of the version applies. */
readonly description: string | null;
readonly versionId: number | null;
/** Version that clients run. Later versions do not change it. */
readonly versionNumber: number | null;
readonly newestVersionId: number | null;
/** Number of the current version of the query. */
readonly newestVersionNumber: number | null;
readonly isNewest: boolean;
/** Queries need approval here, and each approved version is published automatically. */
readonly isFollowing: boolean;
/** The tool as clients see it; null while the query is not published. */
readonly offer: {
readonly name: string;
readonly title: string;
readonly description: string;
/** JSON Schema of the arguments. */
readonly inputSchema: { readonly [name: string]: unknown };
} | null;
readonly issues: readonly ("McpOff" | "SourceNotLinked" | "CheckFailed" | "ToolOff" | "BeyondOffered")[];
readonly publishedAt: string | null;
readonly publishedByUserName: string | null;
/** 0: the query was never published. */
readonly version: number;
};

export type QueryParameter = {
/** Written in the SQL as {{name}}. */
readonly name: string;
readonly type: "Number" | "DateTime" | "Date" | "String" | "Boolean";
readonly description?: string | null;
readonly defaultValue?: string | number | boolean | null;
/** If true, a run without a value and without a default is refused. If false, the value is NULL. Default true. */
readonly isRequired?: boolean;
};

export type QueryParameterInput = {
/** Written in the SQL as {{name}}. */
readonly name: string;
readonly type: "Number" | "DateTime" | "Date" | "String" | "Boolean";
readonly description?: string | null;
readonly defaultValue?: string | number | boolean | null;
/** If true, a run without a value and without a default is refused. If false, the value is NULL. Default true. */
readonly isRequired?: boolean;
};

export type QueryPlans = {
readonly steps: readonly StepPlan[];
};

export type QueryPreview = {
/** Version of the stored definition that ran; null: the definition is not stored. */
readonly versionNumber: number | null;
readonly columns: readonly ({
readonly name: string;
readonly kind: string;
readonly databaseType: string;
readonly isMasked: boolean;
/** Reason why the column is masked, and how to change the statement; null: not masked. */
readonly maskedReason: string | null;
})[];
readonly rows: readonly (readonly unknown[])[];
readonly page: number;
readonly pageSize: number;
/** Rows of the result, or the rows counted until the preview stopped. */
readonly totalCount: number;
readonly pageCount: number;
/** False: the result has more rows than a preview reads. */
readonly isComplete: boolean;
readonly executionTimeMs: number;
readonly steps: readonly ({
readonly order: number;
readonly name: string;
readonly outcome: "Succeeded" | "Failed" | "NotRun";
readonly rowCount: number;
readonly executionTimeMs: number;
/** Bytes that the engine scanned, if it bills by scanned bytes. */
readonly scannedBytes?: number;
/** Bytes that the engine bills. Null if it bills by bytes but has not reported the number. */
readonly billedBytes?: number | null;
/** Requests that the service repeated, because the data source required it. */
readonly retries?: Retries;
})[];
};

export type QueryStep = {
readonly id: number;
/** Identifies the step in all versions of the query, even if its position changes. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly engine: string;
readonly sql: string;
};

export type QueryStepInput = {
/** Identifies the step in all versions of the query, even if its position changes. */
readonly key?: string;
/** Second name of the result in the final query, in addition to step1, step2, … */
readonly name?: string | null;
readonly description?: string | null;
readonly dataSourceId: number;
readonly sql: string;
};

export type QueryVersion = {
readonly id: number;
readonly queryId: number;
readonly versionNumber: number;
readonly status: "Active" | "Archived" | "PendingApproval" | "Rejected" | "Withdrawn";
readonly changeSource: "User" | "Restore" | "AiActor" | "Import";
readonly changeReason: string | null;
/** Number of the version that was restored. */
readonly restoredFromNumber: number | null;
/** Parts that differ from the previous definition; empty for the first version. */
readonly changedParts: readonly ("Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly createdByUserName: string | null;
readonly createdTime: string;
/** User who approved or rejected the version. */
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
readonly decisionComment: string | null;
readonly projectId: number;
readonly name: string;
readonly description: string | null;
readonly steps: readonly ({
/** Identifies the step in all versions of the query, even if its position changes. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
/** Whether the data source is linked to the project of the query. If not, the step cannot run. */
readonly isSourceLinked: boolean;
/** Null if the data source is not linked. */
readonly dataSourceName: string | null;
/** Null if the data source is not linked. */
readonly engine: string | null;
})[];
readonly finalQuery: string | null;
readonly parameters: readonly QueryParameter[];
readonly canEdit: boolean;
};

export type QueryVersionDiff = {
readonly queryId: number;
readonly from: {
readonly id: number;
readonly versionNumber: number;
};
readonly to: {
readonly id: number;
readonly versionNumber: number;
};
readonly parts: readonly DefinitionDifference[];
};

export type QueryVersionListItem = {
readonly id: number;
readonly queryId: number;
readonly versionNumber: number;
readonly status: "Active" | "Archived" | "PendingApproval" | "Rejected" | "Withdrawn";
readonly changeSource: "User" | "Restore" | "AiActor" | "Import";
readonly changeReason: string | null;
/** Number of the version that was restored. */
readonly restoredFromNumber: number | null;
/** Parts that differ from the previous definition; empty for the first version. */
readonly changedParts: readonly ("Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly createdByUserName: string | null;
readonly createdTime: string;
/** User who approved or rejected the version. */
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
readonly decisionComment: string | null;
};

export type QuietHours = {
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone: string;
readonly windows: readonly ({
/** Days on which the window begins. */
readonly days: readonly ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[];
/** Local time, `22:00`. */
readonly from: string;
/** Local time. If it is not after `from`, it is on the next day. */
readonly to: string;
})[];
/** A message about a critical anomaly or a failed Critical rule is sent immediately. */
readonly criticalPasses: boolean;
};

export type QuietHoursInput = {
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone: string;
readonly windows: readonly ({
/** Days on which the window begins. */
readonly days: readonly ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[];
/** Local time, `22:00`. */
readonly from: string;
/** Local time. If it is not after `from`, it is on the next day. */
readonly to: string;
})[];
/** A message about a critical anomaly or a failed Critical rule is sent immediately. */
readonly criticalPasses: boolean;
};

export type RecentDeliveries = {
/** Recipients without such an attempt are omitted. */
readonly items: readonly ({
readonly recipientId: number;
/** The last 30 attempts of runs that the caller may see, oldest first. */
readonly deliveries: readonly RecentDelivery[];
})[];
};

export type RecentDelivery = {
readonly notificationId: number;
readonly queryName: string;
readonly startedAt: string;
readonly state: "Queued" | "Sending" | "Sent" | "Failed" | "Unknown" | "Skipped";
};

export type RecentRun = {
readonly notificationId: number;
readonly dueAt: string;
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
readonly resultCount: number | null;
};

export type RecentRuns = {
/** Subscriptions without such a run are omitted. */
readonly items: readonly ({
readonly subscriptionId: number;
/** The last 30 runs that the caller may see, oldest first. */
readonly runs: readonly RecentRun[];
})[];
};

export type RecheckGlossaryBody = {
readonly projectId?: number;
};

export type RecheckGoldenExamplesBody = {
readonly projectId?: number;
};

export type Recipient = {
readonly id: number;
readonly name: string;
readonly description: string | null;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
/** Masked. Null for callers who are neither Admin nor SecurityAdmin. */
readonly destination: string | null;
/** Names with masked values. Null for callers who are neither Admin nor SecurityAdmin. */
readonly customHeaders: { readonly [name: string]: string } | null;
readonly bodyTemplate: string | null;
readonly state: "Approved" | "AwaitingApproval" | "Rejected";
/** The stored destination can no longer be decrypted. Enter it again. */
readonly needsDestination: boolean;
/** False for secrets that were stored before encryption was introduced. Save the recipient again, or run `svc secrets rotate`. */
readonly isEncrypted: boolean;
readonly pendingChange: {
/** Id of the request, as in `/svc/api/approvals/changes/{id}`. */
readonly id: number;
readonly requestedByUserName: string | null;
readonly submittedAt: string;
/** The caller made the request, and may withdraw it. */
readonly isOwn: boolean;
} | null;
readonly subscriptionCount: number;
readonly contractCount: number;
readonly isDemo: boolean;
readonly createdTime: string;
readonly version: number;
};

export type RecipientInput = {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly name: string;
/** Required for a new recipient. On a change, an absent or masked value leaves the stored destination unchanged. */
readonly destination?: string | null;
readonly description?: string | null;
/** For webhooks only. A masked value leaves the stored value unchanged. {} or null removes all headers. */
readonly customHeaders?: { readonly [name: string]: unknown } | null;
readonly bodyTemplate?: string | null;
};

export type RecipientSettings = {
readonly signing: "Off" | "On" | "Rotating" | "Unreadable";
readonly retryPolicy: RetryPolicy;
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers: "Text" | "Number";
};

export type RecipientUse = {
readonly subscriptionId: number | null;
readonly queryId: number | null;
readonly queryName: string | null;
readonly contractId: number | null;
readonly contractName: string | null;
readonly projectId: number;
readonly projectName: string;
};

export type RecipientView = {
/** False if it can no longer be decrypted. */
readonly isReadable: boolean;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook" | null;
/** The destination, with its secrets masked. */
readonly parts: readonly ({
readonly label: string;
readonly value: string;
})[];
/** Names of the custom headers, each with a fingerprint of its value. */
readonly headers: readonly ({
readonly name: string;
readonly fingerprint: string;
})[];
/** Fingerprint of type, destination and headers together. */
readonly fingerprint: string | null;
};

export type RefineAiActorAnswer = {
readonly thinkId: number;
readonly jobId: string;
};

export type RefineAiActorBody = {
readonly feedback: string;
};

export type RejectAiPlanBody = {
readonly comment: string;
};

export type RejectChangeInput = {
readonly comment?: string | null;
};

export type RejectQueryBody = {
/** Reason of the rejection. */
readonly comment: string;
};

export type Relationship = {
readonly id: number;
readonly dataSourceId: number;
readonly source: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly target: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly label: string;
readonly origin: "ForeignKey" | "Inferred" | "Manual";
readonly cardinality: "OneToOne" | "ManyToOne" | "ManyToMany" | "Unknown";
/** 1 for declared keys and for relationships that users added; lower for proposals. */
readonly confidence: number;
/** The database declares the relationship, or a user verified it. */
readonly isVerified: boolean;
readonly verifiedByUserName: string | null;
readonly verifiedAt: string | null;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type RelationshipProposal = {
readonly source: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly target: {
readonly schema: string;
readonly table: string;
readonly columns: readonly string[];
};
readonly label: string;
readonly cardinality: "OneToOne" | "ManyToOne" | "ManyToMany" | "Unknown";
readonly confidence: number;
readonly rule: "NamedAfterTable" | "NamedAfterTableAndKey" | "SameNameAsKey";
/** Reason for the proposal, in one sentence. */
readonly evidence: string;
};

export type RememberedRows = {
/** Stored rows, counted by their keys. */
readonly rowCount: number;
/** Keys that several rows have. Rows with the same key count as one row. */
readonly duplicateKeyCount: number;
readonly updatedAt: string;
};

export type ReplaceGoldenExampleBody = {
readonly dataSourceId: number;
readonly question: string;
/** `NoAnswer`: the data cannot answer the question, and any statement would be wrong. */
readonly expected?: "Rows" | "NoAnswer";
/** Statement that returns the right rows; null if `expected` is `NoAnswer`. */
readonly sql?: string | null;
readonly notes?: string | null;
readonly isActive?: boolean;
};

export type ReplaceSubscriptionBody = {
/** Five fields (minute hour day month weekday), or six with seconds first. */
readonly cronExpression: string;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
};

export type ReplacementInput = {
/** Minutes during which the old key remains valid, never beyond its own expiry. Default: 1,440 (one day). */
readonly overlapMinutes?: number;
/** A date (its first instant in UTC) or a point in time. Absent, null or empty: the default lifetime. */
readonly expiresAt?: string | null;
};

export type Repository = {
readonly id: number;
readonly projectId: number;
/** Last segment of the address. */
readonly name: string;
readonly url: string;
readonly branch: string;
readonly hasToken: boolean;
readonly scanStatus: "NotScanned" | "Waiting" | "Scanning" | "Completed" | "Failed";
readonly scanFailure: "NotReached" | "NotAllowed" | "TokenRefused" | "NotFound" | "Redirected" | "NoGitServer" | "BranchNotFound" | "TooLarge" | "TooLong" | "Unreadable" | null;
readonly scannedAt: string | null;
/** Commit of the last scan. */
readonly commitId: string | null;
/** Files that the last scan read. */
readonly fileCount: number | null;
readonly referenceCount: number;
/** The repository exceeds the limit of 20,000 files of at most 1 MB each. The scan omits the rest. */
readonly isCut: boolean;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type ResendDeliveryAnswer = {
readonly orderedCount: number;
/** More deliveries exist than one request can resend (1,000). Repeat the request. */
readonly isCut: boolean;
};

export type ResendFailedDeliveriesAnswer = {
readonly orderedCount: number;
/** More deliveries exist than one request can resend (1,000). Repeat the request. */
readonly isCut: boolean;
};

export type ResendFailedDeliveriesBody = {
/** Also resends deliveries with an unknown outcome. The recipient may receive these messages twice. Default false. */
readonly includesUnknown?: boolean;
};

export type ResendFailedInput = {
readonly from: string;
readonly to: string;
readonly subscriptionId?: number;
readonly recipientId?: number;
/** Also resends deliveries with an unknown outcome. The recipient may receive these messages twice. Default false. */
readonly includesUnknown?: boolean;
};

export type ResendFailedOfWindowAnswer = {
readonly orderedCount: number;
/** More deliveries exist than one request can resend (1,000). Repeat the request. */
readonly isCut: boolean;
};

export type ResolveTaskBody = {
/** Description of the resolution, in the user's own words. */
readonly resolutionNotes?: string | null;
};

export type RestoreQueryVersionBody = {
/** Reason of the change. It is stored with the version. */
readonly changeReason?: string | null;
};

export type ResultComparison = {
readonly before: {
readonly totalCount: number;
/** False: the result has more rows than a comparison reads. */
readonly isComplete: boolean;
readonly executionTimeMs: number;
} | null;
readonly after: {
readonly totalCount: number;
/** False: the result has more rows than a comparison reads. */
readonly isComplete: boolean;
readonly executionTimeMs: number;
};
readonly columns: readonly ({
readonly name: string;
readonly change: "Added" | "Removed" | "Retyped" | null;
readonly isMasked: boolean;
/** The column is part of the key. Rows with equal keys count as the same row. */
readonly isKey: boolean;
})[];
readonly unchangedCount: number;
readonly addedCount: number;
readonly removedCount: number;
readonly changedCount: number;
/** The first 20 added rows, in the order of `columns`. */
readonly added: readonly (readonly unknown[])[];
readonly removed: readonly (readonly unknown[])[];
readonly changed: readonly ({
readonly before: readonly unknown[];
readonly after: readonly unknown[];
})[];
};

export type Retention = {
readonly kinds: readonly ({
readonly kind: "Runs" | "AuditEvents" | "Notices" | "Evaluations" | "Samples" | "FailedJobs" | "LlmContents";
/** Days until data is deleted. Runs and audit events are deleted in whole months. */
readonly keepDays: number;
/** Key of the setting for this period. */
readonly setting: string;
readonly oldestAt: string | null;
readonly removedAt: string | null;
})[];
};

export type Retries = {
readonly count: number;
/** Total wait before the retries, in milliseconds. */
readonly waitedMs: number;
};

export type RetryMigrationExecutionAnswer = {
readonly executionId: number;
readonly jobId: string | null;
};

export type RetryPolicy = {
/** Number of further attempts after a failed one. Default 0: none. */
readonly retriesMax: number;
/** Seconds until the first further attempt. Each later wait is twice as long. A longer `Retry-After` of a 429 or 503 response applies instead, up to one day. After a 410 response, no attempt follows. */
readonly delaySeconds: number;
};

export type RetryPolicyInput = {
/** Number of further attempts after a failed one. Default 0: none. */
readonly retriesMax: number;
/** Seconds until the first further attempt. Each later wait is twice as long. A longer `Retry-After` of a 429 or 503 response applies instead, up to one day. After a 410 response, no attempt follows. */
readonly delaySeconds: number;
};

export type ReviseAiPlanAnswer = {
readonly thinkId: number;
readonly jobId: string;
};

export type ReviseAiPlanBody = {
readonly feedback: string;
};

export type Role = {
readonly name: "Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator";
readonly kind: "Global" | "Functional";
/** Admin 3, Editor 2, Viewer 1, functional 0. */
readonly level: number;
readonly description: string;
};

export type RowMemory = {
/** Columns of the result that identify a row. */
readonly keyColumns: readonly string[];
/** A row counts as changed if the value of one of these columns changed. Null: all columns of the result. */
readonly watchedColumns: readonly string[] | null;
/** Kinds of changes that are reported. */
readonly changes: readonly ("New" | "Changed" | "Vanished")[];
/** `Digest`: one message for each run. `PerRow`: one message for each of the first 20 rows, and one for all other rows. */
readonly delivery: "Digest" | "PerRow";
/** Stores the key columns of up to 100,000 rows, masked and encrypted, so that messages can name a vanished row. */
readonly keepsKeys: boolean;
};

export type RowRoute = {
/** Value in the column, unmasked and as text. Decimal numbers have no trailing zeros, and dates have the form YYYY-MM-DD. Upper and lower case differ. */
readonly value: string;
readonly recipientId: number;
};

export type RowRouteInput = {
/** Value in the column, unmasked and as text. Decimal numbers have no trailing zeros, and dates have the form YYYY-MM-DD. Upper and lower case differ. */
readonly value: string;
readonly recipientId: number;
};

export type RowRouting = {
readonly column: string;
readonly routeCount: number;
/** Attached recipient of the rows without a route; null: no recipient gets these rows. */
readonly fallbackRecipientId: number | null;
};

export type RuleResult = {
readonly ruleId: number;
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "Pattern" | "AcceptedValues" | "Referential" | "Uniqueness" | "Schema" | "CustomSql";
readonly severity: "Critical" | "High" | "Medium" | "Low";
readonly outcome: "Passed" | "Warned" | "Failed" | "Error";
/** Null: no rule could be evaluated. */
readonly score: number | null;
readonly failing: number | null;
readonly total: number | null;
readonly message: string | null;
/** At most 20 rows that broke the rule, with personal data masked. */
readonly sample: {
readonly columns: readonly string[];
readonly rows: readonly (readonly (string | number | boolean | null)[])[];
} | null;
/** Reason why a failed or warned rule has no sample; null for other rules. */
readonly sampleReason: string | null;
};

export type RunAttempt = {
readonly deliveryId: number;
readonly recipientId: number;
readonly recipientName: string;
readonly attempt: number;
readonly origin: "Run" | "Resend" | "Retry";
readonly orderedBy: string | null;
readonly state: "Queued" | "Sending" | "Sent" | "Failed" | "Unknown" | "Skipped";
readonly from: string;
readonly to: string | null;
readonly request: {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
/** Same id for all attempts to send this message. */
readonly messageId: string;
readonly bytesSent: number | null;
};
/** Stored facts about the response. Its text is not stored. */
readonly response: {
/** Only for Admin and SecurityAdmin. */
readonly httpClass?: string | null;
/** Reason from a closed list. It never contains text from the other system. */
readonly reason: string | null;
/** Id of the created item in the other system. */
readonly remoteId: string | null;
/** Seconds that the other system requested to wait. */
readonly retryAfterSeconds: number | null;
};
};

export type RunMcpToolBody = {
readonly toolName: string;
readonly projectId: number;
/** Arguments of the tool, without `project_id`. */
readonly arguments?: { readonly [name: string]: unknown };
};

export type RunMigrationJobAnswer = {
readonly executionId: number;
readonly jobId: string | null;
};

export type RunMigrationJobBody = {
readonly isTrial?: boolean;
};

export type RunStatement = {
readonly name: string;
readonly dataSourceId: number;
/** Null if the data source no longer exists. */
readonly dataSourceName: string | null;
readonly outcome: "Succeeded" | "Failed" | "NotRun";
readonly rowCount: number;
readonly from: string;
/** Duration in milliseconds, including the wait for a free slot at the data source. */
readonly durationMs: number;
/** Bytes that the engine scanned, if it bills by scanned bytes. */
readonly scannedBytes?: number;
/** Bytes that the engine bills. Null if it bills by bytes but has not reported the number. */
readonly billedBytes?: number | null;
/** Requests that the service repeated, because the data source required it. */
readonly retries?: Retries;
};

export type RunTimeline = {
/** The API request that started the run; null if the schedule started it. */
readonly request: {
readonly method: string;
readonly route: string;
readonly userName: string | null;
readonly at: string;
} | null;
readonly traceId: string | null;
/** Job that executed the run. Ended jobs are deleted after a short time. */
readonly jobId: string | null;
readonly dueAt: string;
readonly startedAt: string | null;
readonly finishedAt: string | null;
/** Milliseconds from the due time to the start. */
readonly waitedMs: number | null;
/** Statements in the order in which they ran. */
readonly statements: readonly RunStatement[];
/** Milliseconds for the whole query, including masking; null without a result. */
readonly queryMs: number | null;
/** Milliseconds of `queryMs` for masking the result. */
readonly maskingMs: number | null;
/** Oldest first. */
readonly attempts: readonly RunAttempt[];
/** Events that the run caused in tasks, if the caller can read their project. */
readonly tasks: readonly ({
readonly taskId: number;
readonly kind: "Opened" | "CountChanged" | "Assigned" | "Unassigned" | "PriorityChanged" | "Snoozed" | "Woke" | "Overdue" | "Resolved" | "Reopened" | "Commented" | "Acknowledged" | "AcknowledgementWithdrawn";
readonly at: string;
readonly rowCount: number | null;
})[];
};

export type SavedSchedule = {
readonly projectId: number;
/** Five fields (minute hour day month weekday), or six with seconds first. */
readonly cronExpression: string;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
readonly minAccuracy: number;
readonly repeats?: number;
/** Tokens of all calls of the evaluation. It stops before a call that could exceed the limit. */
readonly maxTokens?: number | null;
readonly isPaused?: boolean;
};

export type SavedView = {
readonly id: number;
readonly list: string;
readonly name: string;
readonly search: string;
readonly createdTime: string;
};

export type ScanRepositoryAnswer = {
readonly jobId: string;
};

export type Schedule = {
readonly cronExpression: string;
readonly timeZone: string;
/** The schedule in words, from the parser that also fires it. */
readonly description: string;
/** The next due times; at most five. */
readonly nextTimes: readonly string[];
};

export type ScheduleLoad = {
readonly from: string;
readonly to: string;
/** The next hours, starting with the current hour. */
readonly hours: readonly ({
readonly from: string;
/** Runs and evaluations that are due in this hour. */
readonly runs: number;
/** Times at which two or more are due at one data source. */
readonly clashes: number;
})[];
/** The 20 largest clashes. Of equal size, the earliest come first. */
readonly clashes: readonly ({
readonly at: string;
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly runs: number;
/** The first 5, by name. */
readonly subjects: readonly ({
readonly kind: "Subscription" | "Contract";
readonly id: number;
readonly name: string;
})[];
})[];
/** More due times exist than were counted. The counts are too low. */
readonly isCut: boolean;
};

export type SchemaChange = {
readonly id: number;
readonly foundAt: string;
readonly kind: "TableAdded" | "TableRemoved" | "ColumnAdded" | "ColumnRemoved" | "ColumnRetyped";
/** Empty for engines without schemas. */
readonly schema: string;
readonly table: string;
/** Null for a change of the whole table. */
readonly column: string | null;
/** Type of the column before the change, as the engine names it; null if the column did not exist. */
readonly typeBefore: string | null;
/** Type of the column after the change, as the engine names it; null if the column no longer exists. */
readonly typeAfter: string | null;
};

export type SchemaHealth = {
readonly dataSourceId: number;
readonly refreshedAt: string | null;
readonly tableCount: number;
readonly relationshipCount: number;
readonly verifiedCount: number;
/** Groups of connected tables. A table without relationships is a group. */
readonly componentCount: number;
readonly largestComponentSize: number;
/** Tables without relationships. */
readonly isolatedTables: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
/** Tables whose key consists of references to at least two others. */
readonly junctionTables: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
/** Tables without a primary key. Views do not count. */
readonly withoutPrimaryKey: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
/** Declared foreign keys without an index of their table that starts with their columns. */
readonly unindexedForeignKeys: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
/** Queries that the caller can read and for which the engine can no longer compute a plan; the first 100. */
readonly brokenQueries: {
readonly count: number;
readonly items: readonly ({
readonly id: number;
readonly name: string;
readonly message: string;
})[];
};
/** Relationships whose columns have different kinds of types. */
readonly typeMismatches: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
};

export type Session = {
readonly id: number;
readonly isCurrent: boolean;
readonly authMethod: "Password" | "BreakGlass" | "Oidc" | "ExternalLogin";
readonly signedInAt: string;
readonly lastSeenAt: string;
readonly expiresAt: string;
readonly userAgent: string | null;
readonly clientAddress: string | null;
};

export type SetAiActorOwnerBody = {
readonly userId: number;
};

export type SetAnomalyVerdictBody = {
readonly verdict: "Expected" | "Real" | null;
};

export type SetDataContractOwnerBody = {
readonly userId: number;
};

export type SetMigrationWritesBody = {
readonly isAllowed: boolean;
};

export type SetNumberFormatBody = {
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers: "Text" | "Number";
};

export type SetProjectAccessModeBody = {
readonly accessMode: "Open" | "Restricted";
};

export type SetQueryFolderBody = {
readonly folderId: number | null;
};

export type SetQueryMcpToolBody = {
/** False: unpublishes the query. Its name, description and version remain stored for the next publication. */
readonly isEnabled: boolean;
/** Unique among published queries. If omitted, the name does not change. */
readonly name?: string;
/** Description for clients; null: the description of the version. */
readonly description?: string | null;
/** A version that is or was active. If omitted, the published version remains; without one, the current version is published. */
readonly versionId?: number;
};

export type SetRepositoryTokenBody = {
readonly token: string | null;
};

export type SetSubscriptionOwnerBody = {
readonly userId: number;
};

export type SetSubscriptionSlaBody = {
/** Hours within which the tasks of the subscription must be resolved. */
readonly slaHours: number | null;
};

export type SetTaskPriorityBody = {
readonly priority: "Critical" | "High" | "Normal" | "Low";
};

export type SetUserRolesBody = {
readonly roles: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
};

export type SetupRequest = {
readonly setupToken: string;
/** Unique; upper and lower case count as equal. No space at the start or end. */
readonly userName: string;
readonly displayName?: string | null;
readonly email?: string | null;
readonly password: string;
readonly confirmPassword: string;
};

export type SignInOptions = {
/** Single sign-on is offered. */
readonly enabled: boolean;
/** Label of the button for single sign-on. */
readonly displayName: string | null;
/** The password form is shown. */
readonly localLoginEnabled: boolean;
/** Passwords work only for break-glass accounts. The sign-in page does not show the form by default. */
readonly breakGlassEnabled: boolean;
readonly externalLogin: {
readonly loginUrl: string;
} | null;
};

export type Snooze = {
/** End of the snooze, during which no recipients are notified; null ends the snooze now. */
readonly until: string | null;
readonly reason?: string | null;
};

export type SnoozeTaskBody = {
/** End of the snooze, within 90 days from now; null ends the snooze now. */
readonly snoozeUntil: string | null;
};

export type StartEvalRunBody = {
readonly projectId?: number;
readonly goldenIds?: readonly number[];
readonly repeats?: number;
/** Tokens of all calls of the evaluation. It stops before a call that could exceed the limit. */
readonly maxTokens?: number;
};

export type StepPlan = {
readonly stepOrder: number;
readonly dataSourceName: string;
readonly engine: string;
readonly outcome: "Explained" | "Refused" | "NotOffered";
/** Reason why no plan exists. */
readonly message: string | null;
readonly position: {
readonly line: number;
readonly column: number;
} | null;
readonly estimatedRows: number | null;
readonly estimatedCost: number | null;
readonly nodes: readonly ({
/** 0: the outermost node. Each node comes after its parent. */
readonly depth: number;
/** Operation and table, in the words of the engine. */
readonly label: string;
readonly estimatedRows: number | null;
/** Cost in the unit of the engine, including the nodes below. */
readonly estimatedCost: number | null;
})[];
};

export type StopRunAnswer = {
readonly outcome: "Stopped" | "StillEnding" | "NotRunning";
};

export type StoredResults = {
readonly columns: readonly string[];
readonly rows: readonly (readonly unknown[])[];
readonly isTruncated: boolean;
};

export type StoredStep = {
/** Identifies the step in all versions of the query, even if its position changes. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
};

export type Subscription = {
readonly id: number;
readonly queryId: number;
readonly queryName: string;
readonly projectId: number;
readonly projectName: string;
readonly state: "Active" | "Archived";
/** Reason why the service archived the subscription. */
readonly stoppedBecause: string | null;
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly schedule: Schedule;
readonly notificationTrigger: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange";
readonly minimumRowCount: number | null;
readonly maxRows: number | null;
readonly timeoutSeconds: number | null;
/** Handling of a due time while the previous run is running. `Skip` (default) records a missed run. `Queue` starts the run afterwards. Manual runs, and runs that quiet hours delay, do not count as previous runs. */
readonly overlap: "Skip" | "Queue";
readonly showQuery: boolean;
readonly storeResults: boolean;
readonly includeAttachment: boolean;
readonly attachmentFormat: "Csv" | "Xlsx" | null;
/** A run with rows opens a task. A run without rows resolves it. */
readonly createTasks: boolean;
/** Hours within which the tasks of the subscription must be resolved. */
readonly slaHours: number | null;
/** Values of the query's parameters, by name. Omitted parameters get their defaults. */
readonly parameters: { readonly [name: string]: string | number | boolean | null };
/** Settings that detect unusual row counts; null: the counts are not watched. */
readonly anomaly: AnomalyWatch | null;
/** Alert rule of the trigger `WhileRows`; null with every other trigger. */
readonly alert: AlertRule | null;
/** Row memory of the trigger `OnRowChange`: the columns that identify rows, and the changes to report. Null with every other trigger. */
readonly rowMemory: RowMemory | null;
/** Quiet hours of scheduled runs: their messages are sent at the end of the quiet hours. Null: no quiet hours. */
readonly quietHours: QuietHours | null;
/** Row routing: each recipient gets only its own rows. Null: every recipient gets all rows. */
readonly routing: RowRouting | null;
readonly recipients: readonly AttachedRecipient[];
readonly lastRun: {
readonly id: number;
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
/** Reason why a `Silenced` run sent nothing. */
readonly silencedBy: "StillFiring" | "AlertPending" | "Snoozed" | "QuietHours" | "Baseline" | "NothingChanged" | "NothingRouted" | null;
readonly createdTime: string;
} | null;
/** State of the alert. Null without the trigger `WhileRows`, and before the first run with a result. */
readonly alertState: Alert | null;
/** Remembered rows. Null without the trigger `OnRowChange`, and before the first run that stored rows. */
readonly rememberedRows: RememberedRows | null;
readonly lastMissed: {
readonly id: number;
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly missedCount: number;
readonly noticedAt: string;
/** `NotStarted`: the run did not start in time. `PreviousRunning`: the run was skipped, because the previous run was still running. */
readonly reason: "NotStarted" | "PreviousRunning";
} | null;
/** Time since which the schedule is paused. Null: the schedule is not paused, or the subscription is archived. */
readonly pausedSince: string | null;
/** End of the snooze, during which scheduled runs notify no recipients. */
readonly snoozedUntil: string | null;
readonly snoozeReason: string | null;
readonly isDemo: boolean;
readonly createdTime: string;
readonly version: number;
};

export type SubscriptionBulkResult = {
/** Results in the order of the request. */
readonly results: readonly ({
readonly id: number;
readonly isDone: boolean;
/** Problem code of the refusal. */
readonly code: string | null;
readonly detail: string | null;
})[];
};

export type SubscriptionChange = {
readonly notificationTrigger?: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange";
readonly minimumRowCount?: number | null;
readonly maxRows?: number | null;
readonly timeoutSeconds?: number | null;
/** Handling of a due time while the previous run is running. `Skip` (default) records a missed run. `Queue` starts the run afterwards. Manual runs, and runs that quiet hours delay, do not count as previous runs. */
readonly overlap?: "Skip" | "Queue";
readonly showQuery?: boolean;
readonly storeResults?: boolean;
readonly includeAttachment?: boolean;
readonly attachmentFormat?: "Csv" | "Xlsx" | null;
/** A run with rows opens a task. A run without rows resolves it. */
readonly createTasks?: boolean;
/** Hours within which the tasks of the subscription must be resolved. */
readonly slaHours?: number | null;
/** Values of the query's parameters, by name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
/** Settings that detect unusual row counts. Omitted members get their defaults. Null: the counts are not watched. */
readonly anomaly?: {
/** `Robust` learns the level, the trend, daily, weekly and monthly patterns, and the variation of the counts. `Percentage` allows a percentage of deviation from the median. */
readonly method?: "Robust" | "Percentage";
/** For `Percentage`: allowed deviation in percent of the median of the counts. */
readonly percent?: number;
/** For `Robust`: the expected range allows at least 5 (`Low`), 4 (`Medium`) or 3 (`High`) deviations from the expected count. */
readonly sensitivity?: "Low" | "Medium" | "High";
/** Days of history from which the expected count is computed. */
readonly lookbackDays?: number;
/** Runs that the history needs. With fewer runs, no count is reported as unusual. */
readonly minimumDataPoints?: number;
/** Direction of unusual counts that are reported. */
readonly directions?: "Both" | "Up" | "Down";
/** No anomaly is reported if both the count and the expected count are below this number. */
readonly floor?: number;
/** ISO 3166-1 code of the country whose public holidays are not compared with ordinary days. */
readonly holidayCountry?: "AD" | "AE" | "AG" | "AI" | "AL" | "AM" | "AO" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GT" | "GU" | "GW" | "GY" | "HK" | "HN" | "HR" | "HT" | "HU" | "IC" | "ID" | "IE" | "IL" | "IM" | "IN" | "IR" | "IS" | "IT" | "JE" | "JM" | "JP" | "KE" | "KM" | "KN" | "KR" | "KY" | "KZ" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MK" | "ML" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NZ" | "PA" | "PE" | "PF" | "PH" | "PK" | "PL" | "PM" | "PR" | "PT" | "PY" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SZ" | "TC" | "TD" | "TG" | "TH" | "TN" | "TO" | "TR" | "TT" | "TW" | "TZ" | "UA" | "UG" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "XK" | "YT" | "ZA" | "ZM" | "ZW" | null;
/** Further holidays, as dates of the time zone of the schedule, e.g. `2026-12-24`. */
readonly holidayDates?: readonly string[];
} | null;
/** Alert rule; only for the trigger `WhileRows`. Omitted members get their defaults. */
readonly alert?: {
/** Consecutive runs with rows until the alert fires and recipients are notified. */
readonly pendingRuns?: number;
/** Consecutive runs without rows until the alert ends. */
readonly recoverRuns?: number;
/** Minutes after the last message until a reminder is sent, while rows remain. Null: no reminders. */
readonly remindMinutes?: number | null;
/** Recipients are also notified when the rows are gone. */
readonly tellsRecovery?: boolean;
} | null;
/** Row memory; required for the trigger `OnRowChange`, and only allowed for it. Omitted members get their defaults. */
readonly rowMemory?: {
/** Columns of the result that identify a row. */
readonly keyColumns: readonly string[];
/** A row counts as changed if the value of one of these columns changed. Null: all columns of the result. */
readonly watchedColumns?: readonly string[] | null;
/** Kinds of changes that are reported. */
readonly changes?: readonly ("New" | "Changed" | "Vanished")[];
/** `Digest`: one message for each run. `PerRow`: one message for each of the first 20 rows, and one for all other rows. */
readonly delivery?: "Digest" | "PerRow";
/** Stores the key columns of up to 100,000 rows, masked and encrypted, so that messages can name a vanished row. */
readonly keepsKeys?: boolean;
} | null;
/** Quiet hours of scheduled runs: their messages are sent at the end of the quiet hours. Null: no quiet hours. */
readonly quietHours?: QuietHoursInput | null;
/** Row routing: each recipient gets only the rows with its values. It replaces the stored routing. Null: every recipient gets all rows. */
readonly routing?: {
readonly column: string;
/** Values and the recipients of their rows. Each recipient is attached to the subscription. */
readonly routes: readonly RowRouteInput[];
/** Attached recipient of the rows without a route; null: no recipient gets these rows. */
readonly fallbackRecipientId?: number | null;
} | null;
};

export type SubscriptionInput = {
readonly queryId: number;
/** Five fields (minute hour day month weekday), or six with seconds first. */
readonly cronExpression: string;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
/** Recipients to notify. At least one is required, unless `createTasks` is true. */
readonly recipientIds: readonly number[];
readonly notificationTrigger?: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange";
readonly minimumRowCount?: number | null;
readonly maxRows?: number | null;
readonly timeoutSeconds?: number | null;
/** Handling of a due time while the previous run is running. `Skip` (default) records a missed run. `Queue` starts the run afterwards. Manual runs, and runs that quiet hours delay, do not count as previous runs. */
readonly overlap?: "Skip" | "Queue";
readonly showQuery?: boolean;
readonly storeResults?: boolean;
readonly includeAttachment?: boolean;
readonly attachmentFormat?: "Csv" | "Xlsx" | null;
/** A run with rows opens a task. A run without rows resolves it. */
readonly createTasks?: boolean;
/** Hours within which the tasks of the subscription must be resolved. */
readonly slaHours?: number | null;
/** Values of the query's parameters, by name. Omitted parameters get their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
/** Settings that detect unusual row counts. Omitted members get their defaults. Null: the counts are not watched. */
readonly anomaly?: {
/** `Robust` learns the level, the trend, daily, weekly and monthly patterns, and the variation of the counts. `Percentage` allows a percentage of deviation from the median. */
readonly method?: "Robust" | "Percentage";
/** For `Percentage`: allowed deviation in percent of the median of the counts. */
readonly percent?: number;
/** For `Robust`: the expected range allows at least 5 (`Low`), 4 (`Medium`) or 3 (`High`) deviations from the expected count. */
readonly sensitivity?: "Low" | "Medium" | "High";
/** Days of history from which the expected count is computed. */
readonly lookbackDays?: number;
/** Runs that the history needs. With fewer runs, no count is reported as unusual. */
readonly minimumDataPoints?: number;
/** Direction of unusual counts that are reported. */
readonly directions?: "Both" | "Up" | "Down";
/** No anomaly is reported if both the count and the expected count are below this number. */
readonly floor?: number;
/** ISO 3166-1 code of the country whose public holidays are not compared with ordinary days. */
readonly holidayCountry?: "AD" | "AE" | "AG" | "AI" | "AL" | "AM" | "AO" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GT" | "GU" | "GW" | "GY" | "HK" | "HN" | "HR" | "HT" | "HU" | "IC" | "ID" | "IE" | "IL" | "IM" | "IN" | "IR" | "IS" | "IT" | "JE" | "JM" | "JP" | "KE" | "KM" | "KN" | "KR" | "KY" | "KZ" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MK" | "ML" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NZ" | "PA" | "PE" | "PF" | "PH" | "PK" | "PL" | "PM" | "PR" | "PT" | "PY" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SZ" | "TC" | "TD" | "TG" | "TH" | "TN" | "TO" | "TR" | "TT" | "TW" | "TZ" | "UA" | "UG" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "XK" | "YT" | "ZA" | "ZM" | "ZW" | null;
/** Further holidays, as dates of the time zone of the schedule, e.g. `2026-12-24`. */
readonly holidayDates?: readonly string[];
} | null;
/** Alert rule; only for the trigger `WhileRows`. Omitted members get their defaults. */
readonly alert?: {
/** Consecutive runs with rows until the alert fires and recipients are notified. */
readonly pendingRuns?: number;
/** Consecutive runs without rows until the alert ends. */
readonly recoverRuns?: number;
/** Minutes after the last message until a reminder is sent, while rows remain. Null: no reminders. */
readonly remindMinutes?: number | null;
/** Recipients are also notified when the rows are gone. */
readonly tellsRecovery?: boolean;
} | null;
/** Row memory; required for the trigger `OnRowChange`, and only allowed for it. Omitted members get their defaults. */
readonly rowMemory?: {
/** Columns of the result that identify a row. */
readonly keyColumns: readonly string[];
/** A row counts as changed if the value of one of these columns changed. Null: all columns of the result. */
readonly watchedColumns?: readonly string[] | null;
/** Kinds of changes that are reported. */
readonly changes?: readonly ("New" | "Changed" | "Vanished")[];
/** `Digest`: one message for each run. `PerRow`: one message for each of the first 20 rows, and one for all other rows. */
readonly delivery?: "Digest" | "PerRow";
/** Stores the key columns of up to 100,000 rows, masked and encrypted, so that messages can name a vanished row. */
readonly keepsKeys?: boolean;
} | null;
/** Quiet hours of scheduled runs: their messages are sent at the end of the quiet hours. Null: no quiet hours. */
readonly quietHours?: QuietHoursInput | null;
/** Row routing: each recipient gets only the rows with its values. It replaces the stored routing. Null: every recipient gets all rows. */
readonly routing?: {
readonly column: string;
/** Values and the recipients of their rows. Each recipient is attached to the subscription. */
readonly routes: readonly RowRouteInput[];
/** Attached recipient of the rows without a route; null: no recipient gets these rows. */
readonly fallbackRecipientId?: number | null;
} | null;
};

export type SubscriptionRoutes = {
readonly routes: readonly RowRoute[];
};

export type Task = {
readonly id: number;
readonly subscriptionId: number | null;
readonly contractId: number | null;
readonly queryId: number | null;
/** Name of the query that returned the rows, or of the data contract that failed. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly state: "Open" | "Resolved";
readonly priority: "Critical" | "High" | "Normal" | "Low";
readonly assigneeUserId: number | null;
readonly assigneeName: string | null;
/** Rows of the last run with a result. For a data contract: rules that did not pass. */
readonly latestResultCount: number;
readonly latestAt: string;
readonly createdTime: string;
/** Deadline for resolving the task; null without an SLA. */
readonly dueAt: string | null;
readonly isOverdue: boolean;
readonly snoozedUntil: string | null;
readonly resolvedAt: string | null;
readonly resolvedByName: string | null;
readonly resolution: "Automatic" | "Manual" | null;
readonly version: number;
};

export type TaskAssigneeCandidate = {
readonly id: number;
readonly name: string;
};

export type TaskBulkResult = {
/** Results in the order of the request. */
readonly results: readonly ({
readonly id: number;
readonly isDone: boolean;
/** Problem code of the refusal. */
readonly code: string | null;
readonly detail: string | null;
})[];
};

export type TaskComment = {
readonly id: number;
readonly content: string;
readonly userName: string | null;
readonly createdTime: string;
};

export type TaskDetail = {
readonly id: number;
readonly subscriptionId: number | null;
readonly contractId: number | null;
readonly queryId: number | null;
/** Name of the query that returned the rows, or of the data contract that failed. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly state: "Open" | "Resolved";
readonly priority: "Critical" | "High" | "Normal" | "Low";
readonly assigneeUserId: number | null;
readonly assigneeName: string | null;
/** Rows of the last run with a result. For a data contract: rules that did not pass. */
readonly latestResultCount: number;
readonly latestAt: string;
readonly createdTime: string;
/** Deadline for resolving the task; null without an SLA. */
readonly dueAt: string | null;
readonly isOverdue: boolean;
readonly snoozedUntil: string | null;
readonly resolvedAt: string | null;
readonly resolvedByName: string | null;
readonly resolution: "Automatic" | "Manual" | null;
readonly version: number;
readonly resolutionNotes: string | null;
readonly slaHours: number | null;
readonly ownerUserId: number | null;
/** Owner of the subscription or the data contract. */
readonly ownerName: string | null;
readonly previousTaskId: number | null;
readonly watcherCount: number;
readonly isWatching: boolean;
readonly commentCount: number;
/** The caller may change the task: resolve it, assign it and so on. */
readonly canAct: boolean;
/** A run that ended while the task was open stored its rows, and the caller may see them. `getLastResult` returns them. */
readonly hasStoredRows: boolean;
};

export type TaskEvent = {
readonly id: number;
readonly kind: "Opened" | "CountChanged" | "Assigned" | "Unassigned" | "PriorityChanged" | "Snoozed" | "Woke" | "Overdue" | "Resolved" | "Reopened" | "Commented" | "Acknowledged" | "AcknowledgementWithdrawn";
readonly createdTime: string;
/** Null: the service. */
readonly userName: string | null;
/** Text that the user wrote. */
readonly content: string | null;
/** Description of the event. */
readonly comment: string | null;
/** Run that caused the event, if the caller may see it. */
readonly notificationId: number | null;
};

export type TaskExecution = {
/** Id of the run or of the evaluation. */
readonly id: number;
/** Null: the execution is a run. */
readonly evaluationId: number | null;
readonly executedAt: string;
readonly durationMs: number | null;
/** Rows of the run. For an evaluation: rules that did not pass. */
readonly rowCount: number | null;
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped" | "Queued" | "Running" | "Passed" | "Warned" | "Error";
};

export type TaskResultHistory = {
readonly taskId: number;
/** The last 100 points, oldest first. */
readonly points: readonly ({
/** Null: the point is an evaluation of a data contract. */
readonly notificationId: number | null;
readonly evaluationId: number | null;
readonly sampledAt: string;
readonly resultCount: number;
})[];
};

export type TaskSummary = {
/** Tasks that are open and not snoozed. */
readonly open: number;
/** Of these: tasks that are assigned to the caller. */
readonly mine: number;
/** Of these: tasks after their deadline. */
readonly overdue: number;
/** Open tasks that are snoozed until a later time. */
readonly snoozed: number;
};

export type TemplatePreview = {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly contentType: string;
/** For email only. */
readonly subject: string | null;
/** For email only: the text part without HTML. */
readonly text: string | null;
/** Body of the message as it would be sent. Null if a body template produces it and the caller may not see templates. */
readonly body: string | null;
readonly bytes: number | null;
/** False if a body template produced the body. */
readonly isDefault: boolean;
readonly findings: readonly ({
readonly code: string;
readonly text: string;
})[];
};

export type TestConnectionBody = {
readonly engine: string;
readonly connection: { readonly [name: string]: unknown };
};

export type TestRunSubscriptionAnswer = {
readonly id: number;
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
};

export type ThinkAiActorAnswer = {
readonly thinkId: number;
readonly jobId: string;
};

export type TowerContractDetail = {
readonly kind: "Subscription" | "Contract";
readonly id: number;
/** Name of the contract. For a subscription: the name of its query. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly health: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
/** Most severe first; empty if the subject is healthy. */
readonly reasons: readonly ("DueRunNotStarted" | "LastRunFailed" | "ContractFailed" | "LowSuccessRate" | "ReducedSuccessRate" | "RunsMissed" | "ContractError" | "ContractWarned" | "AnomalyOpen" | "TaskOverdue" | "NoRuns")[];
/** For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed. */
readonly judged: number;
/** Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned. */
readonly good: number;
/** Of these: runs that failed or timed out; evaluations that failed. */
readonly failed: number;
/** `good` divided by `judged`; null if `judged` is 0. */
readonly successRate: number | null;
readonly lastGoodAt: string | null;
readonly lastFailedAt: string | null;
/** The next due time that must start. For a stalled subject: the last due time that passed without a start. */
readonly watchDueAt: string | null;
readonly openTaskId: number | null;
/** Days in UTC with at least one counted evaluation, oldest first. */
readonly days: readonly ({
readonly day: string;
/** For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed. */
readonly judged: number;
/** Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned. */
readonly good: number;
/** Of these: runs that failed or timed out; evaluations that failed. */
readonly failed: number;
/** `good` divided by `judged`; null if `judged` is 0. */
readonly successRate: number | null;
})[];
/** The last 20 evaluations, newest first. */
readonly evaluations: readonly ContractEvaluation[];
/** The last 20 runs that sent messages about the contract and that the caller may see, newest first. */
readonly runs: readonly Notification[];
};

export type TowerDetail = {
readonly kind: "Subscription" | "Contract";
readonly id: number;
/** Name of the contract. For a subscription: the name of its query. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly health: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
/** Most severe first; empty if the subject is healthy. */
readonly reasons: readonly ("DueRunNotStarted" | "LastRunFailed" | "ContractFailed" | "LowSuccessRate" | "ReducedSuccessRate" | "RunsMissed" | "ContractError" | "ContractWarned" | "AnomalyOpen" | "TaskOverdue" | "NoRuns")[];
/** For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed. */
readonly judged: number;
/** Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned. */
readonly good: number;
/** Of these: runs that failed or timed out; evaluations that failed. */
readonly failed: number;
/** `good` divided by `judged`; null if `judged` is 0. */
readonly successRate: number | null;
readonly lastGoodAt: string | null;
readonly lastFailedAt: string | null;
/** The next due time that must start. For a stalled subject: the last due time that passed without a start. */
readonly watchDueAt: string | null;
readonly openTaskId: number | null;
/** Days in UTC with at least one counted run, oldest first. */
readonly days: readonly ({
readonly day: string;
/** For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed. */
readonly judged: number;
/** Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned. */
readonly good: number;
/** Of these: runs that failed or timed out; evaluations that failed. */
readonly failed: number;
/** `good` divided by `judged`; null if `judged` is 0. */
readonly successRate: number | null;
})[];
/** The last 20 runs that the caller may see, newest first. */
readonly runs: readonly Notification[];
};

export type TowerHealthEntry = {
readonly kind: "Subscription" | "Contract";
readonly id: number;
/** Name of the contract. For a subscription: the name of its query. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly health: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
/** Most severe first; empty if the subject is healthy. */
readonly reasons: readonly ("DueRunNotStarted" | "LastRunFailed" | "ContractFailed" | "LowSuccessRate" | "ReducedSuccessRate" | "RunsMissed" | "ContractError" | "ContractWarned" | "AnomalyOpen" | "TaskOverdue" | "NoRuns")[];
/** For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed. */
readonly judged: number;
/** Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned. */
readonly good: number;
/** Of these: runs that failed or timed out; evaluations that failed. */
readonly failed: number;
/** `good` divided by `judged`; null if `judged` is 0. */
readonly successRate: number | null;
readonly lastGoodAt: string | null;
readonly lastFailedAt: string | null;
/** The next due time that must start. For a stalled subject: the last due time that passed without a start. */
readonly watchDueAt: string | null;
readonly openTaskId: number | null;
};

export type TowerStatistics = {
readonly total: number;
readonly stalled: number;
readonly critical: number;
readonly warning: number;
readonly new: number;
readonly healthy: number;
/** Tasks that are open and not snoozed. */
readonly openTasks: number;
readonly overdueTasks: number;
/** For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed. */
readonly judged: number;
/** Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned. */
readonly good: number;
/** Of these: runs that failed or timed out; evaluations that failed. */
readonly failed: number;
/** `good` divided by `judged`; null if `judged` is 0. */
readonly successRate: number | null;
/** A process that runs jobs has reported recently. Without one, no due work starts. */
readonly hasLiveWorker: boolean;
/** Time of the last report of a process that runs jobs. */
readonly lastHeartbeatAt: string | null;
/** A process with the role Scheduler has reported recently. Without one, no schedule fires. */
readonly hasLiveScheduler: boolean;
/** Queues without a live process that executes their jobs. These jobs wait. */
readonly unservedQueues: readonly string[];
/** Paused queues. Their jobs wait until a user resumes the queue on the job dashboard. */
readonly pausedQueues: readonly string[];
};

export type UpdateDataSourceBody = {
readonly name?: string;
readonly description?: string | null;
readonly connection?: { readonly [name: string]: unknown };
readonly metadataOptions?: {
/** Whether metadata is read. */
readonly isEnabled?: boolean;
readonly maxTables?: number | null;
readonly maxColumnsPerTable?: number | null;
readonly tableNamesOnly?: boolean;
readonly includeSchemas?: readonly string[];
readonly excludeSchemas?: readonly string[];
/** Hours between automatic refreshes of the metadata; null: no automatic refresh. Default 24. */
readonly refreshEveryHours?: number | null;
};
};

export type UpdateMcpProjectSettingsBody = {
/** Whether AI clients may call tools. */
readonly isEnabled?: boolean | null;
/** Names of disabled tools. */
readonly disabledTools?: readonly string[] | null;
/** Largest number of rows of one result. */
readonly maxRows?: number | null;
/** Time limit of one statement, in seconds. */
readonly statementTimeoutSeconds?: number | null;
/** Largest size of the rows of one result, in bytes. Applies to the text and to the structured content separately. */
readonly maxResultBytes?: number | null;
/** Concurrent calls of one caller, per process. */
readonly maxConcurrentCalls?: number | null;
/** Calls of one caller per minute, per process. */
readonly maxCallsPerMinute?: number | null;
/** Additional patterns for column names and values to mask. The patterns of the configuration also apply. */
readonly piiPatterns?: readonly string[] | null;
/** Whether the audit log stores the arguments of calls. */
readonly keepsStatements?: boolean | null;
/** Whether the service learns from the use of data. Learned patterns take effect only after a user approves them. */
readonly learns?: boolean | null;
/** `Published`: clients can use only queries that a SecurityAdmin published, in the published version. `All`: clients can use every saved query, in its current version. */
readonly savedQueries?: "Published" | "All" | null;
/** Whether users and AI clients may ask questions in everyday language. */
readonly isAskEnabled?: boolean | null;
/** Whether only statements that users have checked answer questions. Then no language model writes statements. */
readonly answersOnlyChecked?: boolean | null;
/** `Never`: a language model receives no rows. `Masked`: it receives the masked rows of an answer if the user requests an explanation. */
readonly rowsToModel?: "Never" | "Masked" | null;
/** Statements that a language model writes for one question. The answer is the result that most of them return. */
readonly candidates?: number | null;
};

export type UpdateMcpSettingsBody = {
/** Whether AI clients may call tools. */
readonly isEnabled?: boolean;
/** Names of disabled tools. */
readonly disabledTools?: readonly string[];
/** Largest number of rows of one result. */
readonly maxRows?: number;
/** Time limit of one statement, in seconds. */
readonly statementTimeoutSeconds?: number;
/** Largest size of the rows of one result, in bytes. Applies to the text and to the structured content separately. */
readonly maxResultBytes?: number;
/** Concurrent calls of one caller, per process. */
readonly maxConcurrentCalls?: number;
/** Calls of one caller per minute, per process. */
readonly maxCallsPerMinute?: number;
/** Additional patterns for column names and values to mask. The patterns of the configuration also apply. */
readonly piiPatterns?: readonly string[];
/** Whether the audit log stores the arguments of calls. */
readonly keepsStatements?: boolean;
/** Whether the service learns from the use of data. Learned patterns take effect only after a user approves them. */
readonly learns?: boolean;
/** `Published`: clients can use only queries that a SecurityAdmin published, in the published version. `All`: clients can use every saved query, in its current version. */
readonly savedQueries?: "Published" | "All";
/** Whether users and AI clients may ask questions in everyday language. */
readonly isAskEnabled?: boolean;
/** Whether only statements that users have checked answer questions. Then no language model writes statements. */
readonly answersOnlyChecked?: boolean;
/** `Never`: a language model receives no rows. `Masked`: it receives the masked rows of an answer if the user requests an explanation. */
readonly rowsToModel?: "Never" | "Masked";
/** Statements that a language model writes for one question. The answer is the result that most of them return. */
readonly candidates?: number;
/** Text for every client, in addition to the built-in instructions. */
readonly instruction?: string | null;
/** Descriptions that replace the built-in ones, by tool name. */
readonly toolDescriptions?: { readonly [name: string]: string };
};

export type UpdateProjectBody = {
readonly name?: string;
readonly description?: string | null;
};

export type UpdateQueryBody = {
readonly name: string;
readonly description?: string | null;
/** Steps in the order in which they run. */
readonly steps: readonly QueryStepInput[];
/** SQL over the results of the steps (DuckDB). Without it, the result is that of the last step. */
readonly finalQuery?: string | null;
readonly parameters?: readonly QueryParameterInput[];
/** Reason of the change. It is stored with the version. */
readonly changeReason?: string | null;
};

export type UpdateSavedViewBody = {
readonly name?: string;
/** Search, filters and sort order, as in the query string of the page. */
readonly search?: string;
};

export type UpdateUserSettingsBody = {
readonly displayName?: string | null;
readonly email?: string | null;
readonly unmailedNoticeKinds?: readonly ("RunFailed" | "RunMissed" | "RunOverlapped" | "SubscriptionStopped" | "RecipientGone" | "RowsUnrouted" | "MigrationFailed" | "MigrationMissed" | "QueryBroken" | "ContractError" | "ContractFailed" | "ContractRecovered" | "ActorFailed" | "ActorPaused" | "KeyExpires" | "EvaluationMissed" | "AccuracyDropped" | "AccuracyRecovered" | "EvaluationPaused" | "LlmBudget" | "ClockSetBack" | "TaskOpened" | "TaskAssigned" | "TaskCommented" | "TaskCountChanged" | "TaskWoke" | "TaskOverdue" | "TaskResolved" | "TaskReopened")[];
readonly timeZone?: string | null;
readonly theme?: "System" | "Light" | "Dark" | null;
};

export type User = {
readonly id: number;
readonly userName: string;
readonly displayName: string | null;
readonly email: string | null;
readonly kind: "Internal" | "External";
/** Identity provider of an external user. */
readonly issuer: string | null;
/** Id of an external user at its provider. */
readonly subject: string | null;
readonly isSuperAdmin: boolean;
readonly isEnabled: boolean;
readonly mustChangePassword: boolean;
/** All roles, granted here or by the identity provider. */
readonly roles: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
/** Roles that were granted here, without the roles of the identity provider. */
readonly grantedRoles: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
readonly lastSignedInAt: string | null;
readonly createdTime: string;
readonly archivedAt: string | null;
};

export type UserInput = {
/** Unique; upper and lower case count as equal. No space at the start or end. */
readonly userName?: string;
readonly displayName?: string | null;
readonly email?: string | null;
readonly isEnabled?: boolean;
};

export type UserSettings = {
readonly userId: number | null;
readonly userName: string | null;
readonly displayName: string | null;
readonly email: string | null;
readonly kind: "Internal" | "External" | "Host";
readonly roles: readonly string[];
readonly canChangePassword: boolean;
readonly mustChangePassword: boolean;
/** False if an identity provider or the host defines the name of the user. */
readonly canChangeNames: boolean;
/** Kinds of notices that are not sent to the user by email. */
readonly unmailedNoticeKinds: readonly ("RunFailed" | "RunMissed" | "RunOverlapped" | "SubscriptionStopped" | "RecipientGone" | "RowsUnrouted" | "MigrationFailed" | "MigrationMissed" | "QueryBroken" | "ContractError" | "ContractFailed" | "ContractRecovered" | "ActorFailed" | "ActorPaused" | "KeyExpires" | "EvaluationMissed" | "AccuracyDropped" | "AccuracyRecovered" | "EvaluationPaused" | "LlmBudget" | "ClockSetBack" | "TaskOpened" | "TaskAssigned" | "TaskCommented" | "TaskCountChanged" | "TaskWoke" | "TaskOverdue" | "TaskResolved" | "TaskReopened")[];
/** IANA name of the time zone of the pages. Times in the API are in UTC. */
readonly timeZone: string | null;
readonly theme: "System" | "Light" | "Dark" | null;
};

export type VerifyRelationshipBody = {
readonly isVerified: boolean;
};

export type WriteDocumentationBody = {
readonly content: string;
};

/** Codes of problems that the service answers. */
export type ProblemCode =
  | "antiforgery-not-needed"
  | "antiforgery-required"
  | "bad-request"
  | "broken-rule"
  | "forbidden-member"
  | "id-required"
  | "invalid-idempotency-key"
  | "invalid-if-match"
  | "invalid-input"
  | "invalid-json"
  | "no-upgrade"
  | "repeated-header"
  | "too-deep"
  | "cross-site-request"
  | "not-found"
  | "method-not-allowed"
  | "client-gone"
  | "request-timeout"
  | "request-under-way"
  | "request-outcome-unknown"
  | "connection-in-use"
  | "names-from-provider"
  | "view-exists"
  | "too-many-views"
  | "setting-locked"
  | "changed-meanwhile"
  | "body-too-large"
  | "uri-too-long"
  | "json-required"
  | "bytes-required"
  | "idempotency-key-reused"
  | "too-many-requests"
  | "headers-too-large"
  | "body-already-read"
  | "internal"
  | "database-away"
  | "database-full"
  | "unavailable"
  | "invalid-email"
  | "invalid-expiry"
  | "issuer-required"
  | "no-password"
  | "password-not-changed"
  | "passwords-differ"
  | "same-password"
  | "setup-closed"
  | "weak-password"
  | "unknown-time-zone"
  | "wrong-password"
  | "api-key-owner-inactive"
  | "invalid-api-key"
  | "invalid-token"
  | "sign-in-failed"
  | "unauthorized"
  | "admin-required"
  | "execute-key-needs-editor"
  | "execute-scope-required"
  | "key-administrative"
  | "no-user"
  | "own-account"
  | "password-change-required"
  | "permission-required"
  | "privileged-role"
  | "privileged-user"
  | "session-required"
  | "user-disabled"
  | "wrong-setup-token"
  | "identity-taken"
  | "key-not-active"
  | "key-projects-unreadable"
  | "key-replaced"
  | "key-without-projects"
  | "last-super-admin"
  | "setup-lost-race"
  | "user-name-taken"
  | "invalid-parameters"
  | "different-queries"
  | "folder-below-itself"
  | "folder-not-in-project"
  | "queries-of-several-projects"
  | "folders-too-deep"
  | "tool-name-needed"
  | "tool-name-taken"
  | "version-not-publishable"
  | "invalid-range"
  | "invalid-setting"
  | "repository-url-not-allowed"
  | "name-repeated"
  | "one-user-required"
  | "query-empty"
  | "secret-required"
  | "step-source-not-linked"
  | "unknown-engine"
  | "unknown-user"
  | "owner-cannot-write"
  | "link-not-allowed"
  | "confined-to-projects"
  | "project-right-required"
  | "repository-exists"
  | "already-active"
  | "already-a-member"
  | "already-linked"
  | "changed-while-read"
  | "connection-unreadable"
  | "data-source-in-use"
  | "last-project-admin"
  | "invalid-relationship"
  | "relationship-not-proposed"
  | "folder-exists"
  | "folder-not-empty"
  | "glossary-term-exists"
  | "invalid-glossary-target"
  | "invalid-glossary-document"
  | "glossary-term-unchecked"
  | "relationship-exists"
  | "relationship-declared"
  | "metadata-disabled"
  | "no-members"
  | "query-cannot-run"
  | "query-gone"
  | "change-awaiting-approval"
  | "query-not-approved"
  | "source-not-linked"
  | "document-name-refused"
  | "document-content-refused"
  | "document-exists"
  | "document-from-import"
  | "too-many-documents"
  | "no-document-source"
  | "document-import-running"
  | "comment-required"
  | "invalid-recipient"
  | "invalid-schedule"
  | "alert-without-trigger"
  | "row-memory-required"
  | "row-memory-without-trigger"
  | "invalid-routing"
  | "invalid-quiet-hours"
  | "anomaly-required"
  | "recipients-required"
  | "schedule-never-fires"
  | "schedule-too-dense"
  | "bulk-value-missing"
  | "snooze-out-of-range"
  | "unknown-assignee"
  | "not-your-request"
  | "own-request"
  | "recipient-elsewhere"
  | "no-user-record"
  | "change-over"
  | "change-stale"
  | "change-waits"
  | "delivery-made"
  | "delivery-repeated"
  | "delivery-under-way"
  | "destination-unreadable"
  | "recipient-routed"
  | "routes-unreadable"
  | "message-gone"
  | "name-taken"
  | "no-message"
  | "nobody-to-notify"
  | "not-a-webhook"
  | "nothing-to-restore"
  | "recipient-in-use"
  | "alert-not-firing"
  | "subscription-archived"
  | "task-open"
  | "task-resolved"
  | "cancelled"
  | "destination-refused"
  | "empty-statement"
  | "engine-unavailable"
  | "file-not-allowed"
  | "file-unreadable"
  | "file-name-refused"
  | "file-content-refused"
  | "file-exists"
  | "uploads-off"
  | "function-refused"
  | "invalid-parameter"
  | "invalid-pattern"
  | "invalid-settings"
  | "invalid-steps"
  | "misplaced-parameter"
  | "missing-parameter"
  | "more-than-one-statement"
  | "not-a-read"
  | "own-database"
  | "permission-denied"
  | "read-only"
  | "statement-failed"
  | "syntax-refused"
  | "too-many-bytes"
  | "too-many-rows"
  | "unknown-parameter"
  | "value-too-large"
  | "out-of-memory"
  | "timed-out"
  | "authentication-failed"
  | "connection-failed"
  | "connection-lost"
  | "privileged-login"
  | "login-may-write"
  | "database-not-found"
  | "tls-failed"
  | "too-many-runs"
  | "llm-not-configured"
  | "llm-budget-spent"
  | "llm-busy"
  | "llm-failed"
  | "llm-unavailable"
  | "text-too-long"
  | "documentation-not-under-way"
  | "ask-disabled"
  | "rows-kept-from-model"
  | "invalid-question"
  | "too-many-questions"
  | "answer-not-runnable"
  | "answer-not-run"
  | "answer-ended"
  | "answer-not-ended"
  | "candidate-decided"
  | "learning-off"
  | "pattern-superseded"
  | "patch-decided"
  | "no-golden-examples"
  | "eval-run-ended"
  | "invalid-golden-example"
  | "golden-example-exists"
  | "golden-example-unchecked"
  | "actor-not-active"
  | "actor-thinking"
  | "actor-owner-unfit"
  | "actor-owner-needed"
  | "not-your-actor"
  | "approval-set-by-admin"
  | "invalid-ai-actor"
  | "own-plan"
  | "plan-over"
  | "plan-stale"
  | "plan-not-applied"
  | "actor-limit-reached"
  | "query-locked"
  | "invalid-plan-choice"
  | "custom-sql-rule"
  | "evaluation-running"
  | "invalid-contract"
  | "invalid-odcs-document"
  | "copy-of-personal-data"
  | "destination-not-writable"
  | "migration-ended"
  | "migration-not-failed"
  | "migration-running"
  | "migration-source-failed"
  | "migration-writes-closed"
  | "invalid-definition"
  | "unknown-reference"
  | "secret-missing"
  | "plan-applied"
  | "too-many-deletions"
  | "managed-from-code"
  | "slug-taken"
  | "unknown-tool"
  | "host-not-allowed"
  | "origin-not-allowed"
  | "unknown-mcp-caller"
  | "dashboard-read-only"
  | "forbidden"
  | "pages-not-built"
  | "count-changed"
  | "not-possible";

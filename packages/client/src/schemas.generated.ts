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
/** What the user does about it, for the team. */
readonly note?: string | null;
};

export type Acknowledgement = {
readonly at: string;
readonly userId: number | null;
/** Null: the caller was no user. */
readonly userName: string | null;
readonly note: string | null;
};

export type Activity = {
readonly kind: "RunSent" | "RunFailed" | "RunMissed" | "AnomalyDetected" | "SubscriptionCreated" | "TaskOpened" | "TaskResolved" | "ContractFailed" | "ContractRecovered";
readonly time: string;
/** Of a data contract: its own name. */
readonly queryName: string;
readonly projectId: number;
/** Null: it is about a data contract. */
readonly subscriptionId: number | null;
readonly contractId: number | null;
readonly notificationId: number | null;
readonly taskId: number | null;
/** Why a run failed, one of a closed list of reasons; or what was unusual. */
readonly comment: string | null;
/** Rows that a sent run found, or that were unusual, or that opened a task; runs that were missed. Of a data contract: rules that opened a task, evaluations that were missed. */
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
/** Null for keys made before a list was required. */
readonly allowedProjectIds: readonly number[] | null;
readonly createdTime: string;
readonly lastUsedAt: string | null;
readonly expiresAt: string | null;
/** False once revoked, expired, or stopped by the state of its owner. */
readonly isActive: boolean;
readonly isExpired: boolean;
readonly revokedAt: string | null;
/** 1, 3 or 14 while the key works and ends within as many days; else null. */
readonly endsWithinDays: number | null;
readonly replacedByKeyId: number | null;
readonly ownerUserId: number | null;
readonly ownerUserName: string | null;
readonly status: "Active" | "Inactive" | "Revoked";
readonly canRevoke: boolean;
};

export type AdminSetting = {
/** What holds now. */
readonly value: string | null;
/** What holds when nothing is set at run time. */
readonly configuredValue: string | null;
readonly isSetAtRunTime: boolean;
/** Configuration holds it: a change answers 409. */
readonly isLocked: boolean;
readonly needs: "Admin" | "SecurityAdmin";
};

export type AdminSettingChange = {
readonly id: number;
readonly setting: string;
/** Null: the configuration's value held. */
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
/** Time zone of schedules that name none, such as Europe/Zagreb. Null: as configured. */
readonly defaultTimeZone?: string | null;
/** How the language model is reached. Null: as configured. Needs an Admin. */
readonly llmConnection?: {
readonly provider: "OpenAi" | "OpenAiCompatible" | "Anthropic" | "AzureOpenAi" | "Bedrock";
readonly api?: "Responses" | "ChatCompletions";
/** Address below which the paths of the protocol are, such as https://llm.example.org/v1. */
readonly endpoint?: string | null;
readonly region?: string | null;
readonly model: string;
readonly fastModel?: string | null;
/** Absent or null: none. */
readonly prices?: {
readonly main: {
/** Of a million tokens that are sent. */
readonly inputPerMillion: number;
/** Of a million tokens that are answered. */
readonly outputPerMillion: number;
};
/** Null: as `main`. */
readonly fast?: {
/** Of a million tokens that are sent. */
readonly inputPerMillion: number;
/** Of a million tokens that are answered. */
readonly outputPerMillion: number;
} | null;
} | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly apiKey?: string | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly awsAccessKeyId?: string | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly awsSecretAccessKey?: string | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly awsSessionToken?: string | null;
} | null;
/** Absent limits stay as they are. Null instead of all of them: as configured. */
readonly llmLimits?: {
/** Of the service in a month of UTC, in the money of the prices. Null: no limit. */
readonly monthlyBudget?: number | null;
/** Of the service in a month of UTC. Null: no limit. */
readonly monthlyTokens?: number | null;
/** Of one user on a day of UTC. */
readonly dailyTokensPerUser?: number;
/** Of all processes. */
readonly callsPerMinute?: number;
/** Of all processes. */
readonly tokensPerMinute?: number;
/** Of all processes. */
readonly maxConcurrentCalls?: number;
/** For a call with all its attempts. */
readonly callTimeoutSeconds?: number;
/** Of instructions and data together. */
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
/** Why its last think failed; null once one succeeded. */
readonly lastFailure: string | null;
/** The plan that waits for a decision. */
readonly pendingPlanId: number | null;
readonly createdTime: string;
readonly additionalContext: string | null;
/** Cron expression by which it thinks; null: it thinks on request alone. */
readonly thinkSchedule: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone: string;
/** It thinks after runs of its own subscriptions, at most once an hour. */
readonly isThinkingAfterRuns: boolean;
readonly maxQueries: number;
readonly maxSubscriptionsPerQuery: number;
readonly maxActionsPerPlan: number;
/** Tokens that it may use in a month of UTC. */
readonly monthlyTokens: number;
/** The only recipients that its subscriptions and contracts tell. */
readonly defaultRecipientIds: readonly number[];
/** False, which Admins alone set: new and refined queries need no plan. All else still does. */
readonly requiresApproval: boolean;
readonly createdByUserId: number | null;
readonly nextThinkAt: string | null;
/** Queries of its own that are not archived. */
readonly queryCount: number;
readonly subscriptionCount: number;
readonly totalTokens: number;
readonly tokensThisMonth: number;
/** The think that is going on. */
readonly openThinkId: number | null;
readonly queries: readonly ({
readonly queryId: number;
readonly name: string;
readonly isLocked: boolean;
readonly subscriptionCount: number;
})[];
/** Owner, ProjectAdmin or Admin: may change it and have it think. */
readonly canManage: boolean;
readonly updatedAt: string;
readonly version: number;
};

export type AiActorChange = {
readonly name: string;
readonly instructions: string;
readonly additionalContext?: string | null;
/** Cron expression by which it thinks; null: it thinks on request alone. */
readonly thinkSchedule?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
/** It thinks after runs of its own subscriptions, at most once an hour. */
readonly isThinkingAfterRuns?: boolean;
readonly maxQueries?: number;
readonly maxSubscriptionsPerQuery?: number;
readonly maxActionsPerPlan?: number;
/** Tokens that it may use in a month of UTC. */
readonly monthlyTokens?: number;
/** The only recipients that its subscriptions and contracts tell. */
readonly defaultRecipientIds?: readonly number[];
/** False, which Admins alone set: new and refined queries need no plan. All else still does. */
readonly requiresApproval?: boolean;
};

export type AiActorInput = {
readonly projectId: number;
readonly dataSourceId: number;
readonly name: string;
readonly instructions: string;
readonly additionalContext?: string | null;
/** Cron expression by which it thinks; null: it thinks on request alone. */
readonly thinkSchedule?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
/** It thinks after runs of its own subscriptions, at most once an hour. */
readonly isThinkingAfterRuns?: boolean;
readonly maxQueries?: number;
readonly maxSubscriptionsPerQuery?: number;
readonly maxActionsPerPlan?: number;
/** Tokens that it may use in a month of UTC. */
readonly monthlyTokens?: number;
/** The only recipients that its subscriptions and contracts tell. */
readonly defaultRecipientIds?: readonly number[];
/** False, which Admins alone set: new and refined queries need no plan. All else still does. */
readonly requiresApproval?: boolean;
/** Default true; false makes a draft. */
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
/** Why its last think failed; null once one succeeded. */
readonly lastFailure: string | null;
/** The plan that waits for a decision. */
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
/** What it was to do better. */
readonly feedback: string | null;
/** What the model noticed, in its words. */
readonly findings: readonly string[];
/** Actions that the model proposed and that code did not let into the plan, with the reason. */
readonly discarded: readonly ({
readonly type: "CreateQuery" | "RefineQuery" | "CreateSubscription" | "ArchiveSubscription" | "CreateContract";
readonly reasoning: string;
readonly problem: string;
})[];
readonly actions: readonly AiPlanAction[];
/** Stands for what is shown; approving sends it back. Null once the plan is decided. */
readonly planHash: string | null;
/** An Approver or Admin who has no part in the plan. */
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
/** Why, in the words of the model. */
readonly reasoning: string;
readonly isApplied: boolean;
/** The query that it is about; null for a new one. */
readonly queryId: number | null;
readonly queryName: string | null;
/** The query is locked: the plan cannot be applied until it is not. */
readonly isQueryLocked: boolean;
readonly description: string | null;
readonly sql: string | null;
/** What the query says now, where it is refined. */
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
/** Who would be told. */
readonly recipients: readonly ({
readonly id: number;
readonly name: string;
})[];
/** Masked rows of the run that proved the statement; for readers of the project alone. */
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
/** Null: a schedule or a run. */
readonly orderedByUserName: string | null;
readonly feedback: string | null;
readonly analysis: string | null;
/** What the model noticed, in its words. */
readonly findings: readonly string[];
/** Actions that the model proposed and that code did not let into the plan, with the reason. */
readonly discarded: readonly ({
readonly type: "CreateQuery" | "RefineQuery" | "CreateSubscription" | "ArchiveSubscription" | "CreateContract";
readonly reasoning: string;
readonly problem: string;
})[];
/** Queries that it saved at once, where the actor needs no approval for them. */
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
/** When it was last told that there are rows; null: it is not told. */
readonly toldAt: string | null;
/** Acknowledgement of the alert. Reminders stop until it clears. Null: no user acknowledged it. */
readonly acknowledgement: Acknowledgement | null;
};

export type AlertRule = {
/** Runs in a row with rows until it is told. */
readonly pendingRuns: number;
/** Runs in a row without rows until it is over. */
readonly recoverRuns: number;
/** Told again while the rows stay, this long after it was last told; null: never. */
readonly remindMinutes: number | null;
/** That the rows are gone is told too. */
readonly tellsRecovery: boolean;
};

export type AnomalyChart = {
/** Runs that the caller sees, oldest first; at most 2,000. */
readonly points: readonly AnomalyPoint[];
/** There are more: the newest are here. */
readonly isCut: boolean;
/** How counts are watched; null: they are not. */
readonly model: AnomalyWatch | null;
/** Runs that what is expected is learnt from now. */
readonly pointCount: number;
/** Runs that it takes. */
readonly pointsNeeded: number;
};

export type AnomalyPoint = {
readonly notificationId: number;
readonly dueAt: string;
readonly resultCount: number;
readonly lower: number | null;
readonly upper: number | null;
/** Of what was unusual; null: it was not. */
readonly severity: "Low" | "Medium" | "High" | "Critical" | null;
readonly explanation: string | null;
/** What a person said of it. */
readonly verdict: "Expected" | "Real" | null;
};

export type AnomalyWatch = {
/** `Robust` learns level, trend, hours, weekdays and days of the month, and how much the counts scatter; `Percentage` allows a share of their middle. */
readonly method: "Robust" | "Percentage";
/** Of the middle of the counts, for `Percentage`. */
readonly percent: number;
/** For `Robust`: 5, 4 or 3 deviations from what is expected are let pass. */
readonly sensitivity: "Low" | "Medium" | "High";
/** Days of history that count. */
readonly lookbackDays: number;
/** Fewer runs say nothing yet. */
readonly minimumDataPoints: number;
/** Which way is told. */
readonly directions: "Both" | "Up" | "Down";
/** Nothing is told where the count and what was expected are both below. */
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
/** What is being done; null before it begins and once it has ended. */
readonly stage: "Matching" | "Grounding" | "Writing" | "Checking" | "Running" | null;
/** Checked: the statement of a golden example, which people have said is right. Model: one that a language model wrote. */
readonly basis: "Checked" | "Model" | null;
/** By rule: High where the statement is checked, Medium where it passed at once without advice and no candidate gave other rows, else Low. */
readonly confidence: "High" | "Medium" | "Low" | null;
readonly sql: string | null;
readonly askedAt: string;
readonly finishedAt: string | null;
readonly feedback: "Right" | "Wrong" | null;
/** What the model took for granted, in its words. */
readonly assumptions: readonly string[];
/** What the service noticed about the statement. */
readonly advisories: readonly string[];
/** What the model asks back. */
readonly clarification: {
readonly question: string;
readonly options: readonly string[];
} | null;
/** What the data does not have, where it cannot answer. */
readonly missing: string | null;
readonly failure: {
/** A word of a closed list, such as `NoSchema` or the name of a gate. */
readonly code: string;
readonly message: string;
} | null;
/** Where several statements were written: how many of them gave these rows. */
readonly votes: {
/** Candidates that came to this answer. */
readonly agreed: number;
readonly of: number;
} | null;
/** Golden examples whose questions are like this one. */
readonly similar: readonly ({
readonly goldenExampleId: number;
readonly question: string;
})[];
readonly columns: readonly ({
readonly name: string;
readonly kind: string;
readonly isMasked: boolean;
/** Why the column is masked and what to change; absent: not masked. */
readonly maskedReason?: string;
})[];
/** Up to 100, masked; null where it was not run, or where they are not kept any more. */
readonly rows: readonly (readonly unknown[])[] | null;
readonly truncatedBy: "Rows" | "Bytes" | null;
/** Of the answer and of its explanations. */
readonly tokens: {
readonly input: number;
readonly output: number;
readonly isEstimated: boolean;
};
/** Of the answer and of its explanations, in the money of the prices that held; null: without prices, or no model was asked. */
readonly cost: number | null;
readonly durationMs: number | null;
readonly jobId: string | null;
};

export type AnswerExplanation = {
readonly answerId: number;
/** Plain text of a language model; it may be wrong. */
readonly explanation: string;
/** Rows that the model saw, masked. */
readonly rowCount: number;
readonly tokens: {
readonly input: number;
readonly output: number;
readonly isEstimated: boolean;
};
/** In the money of the prices; null where there are none. */
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
/** What was answered. */
readonly sql: string | null;
/** What would have been right, in the words of whoever asked. */
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
/** What is being done; null before it begins and once it has ended. */
readonly stage: "Matching" | "Grounding" | "Writing" | "Checking" | "Running" | null;
/** Checked: the statement of a golden example, which people have said is right. Model: one that a language model wrote. */
readonly basis: "Checked" | "Model" | null;
/** By rule: High where the statement is checked, Medium where it passed at once without advice and no candidate gave other rows, else Low. */
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
/** Null for keys made before a list was required. */
readonly allowedProjectIds: readonly number[] | null;
readonly createdTime: string;
readonly lastUsedAt: string | null;
readonly expiresAt: string | null;
/** False once revoked, expired, or stopped by the state of its owner. */
readonly isActive: boolean;
readonly isExpired: boolean;
readonly revokedAt: string | null;
/** 1, 3 or 14 while the key works and ends within as many days; else null. */
readonly endsWithinDays: number | null;
readonly replacedByKeyId: number | null;
};

export type ApiKeyExplanation = {
readonly works: boolean;
/** Why the key does not work; null while it does. */
readonly reason: string | null;
/** Those that the key has now. */
readonly scopes: readonly ("Read" | "Execute")[];
/** Which rule made these of the scopes that were granted. */
readonly scopeRule: string;
readonly projects: readonly ({
readonly projectId: number;
/** Null where the reader may not see it. */
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
/** The most used first. */
readonly operations: readonly ({
/** Method and route, e.g. `GET /svc/api/projects/{id}`. */
readonly operation: string;
readonly useCount: number;
readonly lastUsedAt: string;
})[];
/** Days with a use, the earliest first. */
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
/** Values of the secrets that files refer to, by name. They are in no plan, log or answer. */
readonly secrets?: { readonly [name: string]: string };
/** Deletes more than a fifth of what the manager applied, if the plan does. */
readonly force?: boolean;
};

export type ApplyDocumentationPatchBody = {
/** Version of the section that the caller saw; 0 where there was none. */
readonly sectionVersion: number;
};

export type ApproveAiPlanBody = {
/** As the plan was shown. */
readonly planHash: string;
/** Default: all. Those left out stay undone. */
readonly actionIds?: readonly number[];
readonly comment?: string | null;
};

export type ApproveChangeInput = {
/** As the request was shown. */
readonly changeHash: string;
readonly comment?: string | null;
};

export type ApproveQueryBody = {
/** As the request was shown. */
readonly approvalHash: string;
readonly comment?: string | null;
};

export type AskQuestionBody = {
readonly question: string;
readonly dataSourceId?: number;
/** Whether the statement is run; default true. */
readonly isRun?: boolean;
};

export type AssignTaskBody = {
/** Who can read the project; null: nobody. */
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
/** What it is called now; null where it has no name, or is gone. */
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
/** The plan of an AI actor, which is opened and decided by its own routes; null for other kinds. */
readonly planId: number | null;
/** Null where the record belongs to no project. */
readonly projectName: string | null;
readonly status: "Pending" | "Approved" | "Rejected" | "Withdrawn";
/** The record itself is new: there is nothing before. */
readonly isNew: boolean;
/** What differs from what was approved. */
readonly changedParts: readonly ("NotificationType" | "Destination" | "CustomHeaders" | "Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly requestedByUserName: string | null;
/** The caller made the request, and so cannot approve or reject it. */
readonly isOwn: boolean;
readonly createdTime: string;
/** When its requester last changed it. */
readonly submittedAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** The reviewer's. */
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
/** The plan of an AI actor, which is opened and decided by its own routes; null for other kinds. */
readonly planId: number | null;
/** Null where the record belongs to no project. */
readonly projectName: string | null;
readonly status: "Pending" | "Approved" | "Rejected" | "Withdrawn";
/** The record itself is new: there is nothing before. */
readonly isNew: boolean;
/** What differs from what was approved. */
readonly changedParts: readonly ("NotificationType" | "Destination" | "CustomHeaders" | "Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly requestedByUserName: string | null;
/** The caller made the request, and so cannot approve or reject it. */
readonly isOwn: boolean;
readonly createdTime: string;
/** When its requester last changed it. */
readonly submittedAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** The reviewer's. */
readonly comment: string | null;
readonly before: {
/** False when it cannot be decrypted any more. */
readonly isReadable: boolean;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook" | null;
/** The destination, with everything masked that is a secret. */
readonly parts: readonly ({
readonly label: string;
readonly value: string;
})[];
/** Names of the custom headers, each with a fingerprint of its value. */
readonly headers: readonly ({
readonly name: string;
readonly fingerprint: string;
})[];
/** Of type, destination and headers together. */
readonly fingerprint: string | null;
} | null;
readonly after: RecipientView;
/** Both sides look the same although they differ: approving needs a comment on how it was checked. */
readonly looksEqual: boolean;
/** Stands for what is shown; approving sends it back. Null once the request is over. */
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
/** The folder that it stands in; null: none, it is at the top. */
readonly parentId?: number | null;
/** Without "/". No two folders beside each other have one name, in whatever case. */
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
/** Until when nobody is told; null ends the snooze. */
readonly until?: string | null;
readonly reason?: string | null;
};

export type ChangeTasksBody = {
readonly taskIds: readonly number[];
readonly act: "Resolve" | "Reopen" | "Assign" | "Snooze" | "Prioritise";
/** How it was resolved, in words of one’s own. */
readonly resolutionNotes?: string | null;
/** Who can read the project; null: nobody. */
readonly assigneeUserId?: number | null;
/** Within 90 days from now; null wakes it. */
readonly snoozeUntil?: string | null;
readonly priority?: "Critical" | "High" | "Normal" | "Low";
};

export type CheckContractRulesAnswer = {
readonly results: readonly ({
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "Pattern" | "AcceptedValues" | "Referential" | "Uniqueness" | "Schema" | "CustomSql";
readonly severity: "Critical" | "High" | "Medium" | "Low";
readonly outcome: "Passed" | "Warned" | "Failed" | "Error";
/** Null: nothing could be judged. */
readonly score: number | null;
readonly failing: number | null;
readonly total: number | null;
readonly message: string | null;
/** At most 20 rows that broke the rule, personal data masked. */
readonly sample: {
readonly columns: readonly string[];
readonly rows: readonly (readonly (string | number | boolean | null)[])[];
} | null;
/** Why a rule that failed or warned has no sample; null for others. */
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
/** There are more values than were looked at. */
readonly isCut: boolean;
};

export type CodeReference = {
readonly id: number;
readonly repositoryId: number;
readonly repositoryName: string;
readonly path: string;
readonly line: number;
/** As the data source spells it. */
readonly table: string;
readonly kind: "RawSql" | "Model" | "Migration" | "Other";
/** The line, at most 300 characters; null where it may hold a secret. */
readonly snippet: string | null;
};

export type CompareApprovalBody = {
/** Values by parameter name; those left out take their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type ConnectionTestResult = {
readonly ok: boolean;
/** The server and its version, or what went wrong. */
readonly message: string;
/** A stable word for what went wrong; null when it went well. */
readonly code: string | null;
readonly warnings: readonly ({
readonly code: string;
readonly message: string;
})[];
/** What to do about a failure; null when it went well. */
readonly next: string | null;
/** Where the login may do more than read: the SQL of a role that may only read, to be copied; else null. */
readonly remedy: string | null;
};

export type ContractEvaluation = {
readonly id: number;
readonly contractId: number;
readonly createdTime: string;
readonly trigger: "Schedule" | "Manual";
readonly status: "Queued" | "Running" | "Passed" | "Warned" | "Failed" | "Error";
readonly reason: "SourceNotLinked" | "SourceUnreachable" | "TableUnknown" | "ContractGone" | "Cancelled" | "Interrupted" | null;
/** Why a `Failed` evaluation failed; null for others and for evaluations of earlier versions. */
readonly failedBecause: "RuleFailed" | "CriticalRuleFailed" | "ScoreTooLow" | null;
/** Null: nothing could be judged. */
readonly score: number | null;
/** Score below which the contract failed at that time. Null: the rules did not run, or an earlier version evaluated it. */
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
/** Why a `Failed` evaluation failed; null for others and for evaluations of earlier versions. */
readonly failedBecause: "RuleFailed" | "CriticalRuleFailed" | "ScoreTooLow" | null;
/** Null: nothing could be judged. */
readonly score: number | null;
/** Score below which the contract failed at that time. Null: the rules did not run, or an earlier version evaluated it. */
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
/** What the type of the rule needs to know. */
readonly config: {
/** Freshness: older fails. */
readonly maxAgeMinutes?: number;
/** Freshness: older warns. */
readonly warnAgeMinutes?: number | null;
/** Freshness: how far in the future a time may be and still be judged. Later times are counted apart. Default: 5, for columns of days 1440. */
readonly futureToleranceMinutes?: number | null;
/** Freshness: a table without rows is fresh. */
readonly emptyPasses?: boolean;
readonly minRows?: number | null;
readonly maxRows?: number | null;
/** NullRate: texts that count as missing, beside NULL. */
readonly missingValues?: readonly string[];
readonly min?: number | string | null;
readonly max?: number | string | null;
/** Pattern: a part of the value has to match. */
readonly pattern?: string;
readonly values?: readonly (string | number)[];
/** Referential: the other table. */
readonly schema?: string;
readonly table?: string;
/** Referential: the other columns, in the order of those of the rule. */
readonly columns?: readonly string[];
/** Uniqueness: rows whose key holds a NULL are compared as well. */
readonly countsNulls?: boolean;
/** Schema: the columns that have to be there. */
readonly expected?: readonly ({
readonly name: string;
readonly databaseType?: string | null;
/** False: it must refuse NULL. */
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
/** What the type of the rule needs to know. */
readonly config?: {
/** Freshness: older fails. */
readonly maxAgeMinutes?: number;
/** Freshness: older warns. */
readonly warnAgeMinutes?: number | null;
/** Freshness: how far in the future a time may be and still be judged. Later times are counted apart. Default: 5, for columns of days 1440. */
readonly futureToleranceMinutes?: number | null;
/** Freshness: a table without rows is fresh. */
readonly emptyPasses?: boolean;
readonly minRows?: number | null;
readonly maxRows?: number | null;
/** NullRate: texts that count as missing, beside NULL. */
readonly missingValues?: readonly string[];
readonly min?: number | string | null;
readonly max?: number | string | null;
/** Pattern: a part of the value has to match. */
readonly pattern?: string;
readonly values?: readonly (string | number)[];
/** Referential: the other table. */
readonly schema?: string;
readonly table?: string;
/** Referential: the other columns, in the order of those of the rule. */
readonly columns?: readonly string[];
/** Uniqueness: rows whose key holds a NULL are compared as well. */
readonly countsNulls?: boolean;
/** Schema: the columns that have to be there. */
readonly expected?: readonly ({
readonly name: string;
readonly databaseType?: string | null;
/** False: it must refuse NULL. */
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
/** Its first question; empty before it. */
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
/** Whether metadata is read at all. */
readonly isEnabled?: boolean;
readonly maxTables?: number | null;
readonly maxColumnsPerTable?: number | null;
readonly tableNamesOnly?: boolean;
readonly includeSchemas?: readonly string[];
readonly excludeSchemas?: readonly string[];
/** When metadata is read again by itself; null: never. Default 24. */
readonly refreshEveryHours?: number | null;
};
};

export type CreateGlossaryTermBody = {
readonly projectId: number;
/** null: the term is of the whole project. */
readonly dataSourceId?: number | null;
readonly term: string;
readonly synonyms?: readonly string[];
readonly definition: string;
readonly target?: {
/** Empty where the engine has no schemas. */
readonly schema: string;
readonly table: string;
/** null: the table as a whole. */
readonly column: string | null;
} | null;
/** SQL of one value over the rows of the table of the target, such as `sum(amount)`. */
readonly metricExpression?: string | null;
readonly isActive?: boolean;
};

export type CreateGoldenExampleBody = {
readonly projectId: number;
readonly dataSourceId: number;
readonly question: string;
/** NoAnswer: the data cannot answer the question, and any statement would be wrong. */
readonly expected?: "Rows" | "NoAnswer";
/** The statement whose rows are the right answer; null where `expected` is NoAnswer. */
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
/** In the order in which they run. */
readonly steps?: readonly QueryStepInput[];
/** Runs over the results of the steps (DuckDB). Without it the last step is the result. */
readonly finalQuery?: string | null;
readonly parameters?: readonly QueryParameterInput[];
readonly folderId?: number | null;
};

export type CreateQueryFolderBody = {
readonly projectId: number;
/** The folder that it stands in; null: none, it is at the top. */
readonly parentId?: number | null;
/** Without "/". No two folders beside each other have one name, in whatever case. */
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
/** Search, filters and sorting, as the address of the list has them behind the question mark. */
readonly search: string;
};

export type CreateSigningSecretAnswer = {
/** Shown this once: `whsec_` and base64. */
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
/** IANA name of the zone that pages show times in. Times over the API are in UTC. */
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
/** Empty where the engine has none. */
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly description: string | null;
/** Whether its schedule evaluates it. */
readonly isEnabled: boolean;
/** Results that fail the contract. New contracts: `AnyRule`. A change without it keeps the present value. */
readonly failsOn: "AnyRule" | "Score";
/** Below it an evaluation warns. */
readonly warnScore: number;
/** Below it an evaluation fails. */
readonly failScore: number;
readonly alertMode: "EveryFailure" | "OnChange";
/** Warnings are told as failures are. */
readonly alertsOnWarning: boolean;
/** When `OnChange` tells, with evaluations for runs and failures for rows; null with `EveryFailure`. */
readonly alert: AlertRule | null;
/** When scheduled evaluations tell nobody: what they have to tell is told at the end. Null: never. */
readonly quietHours: QuietHours | null;
/** A scheduled evaluation that fails opens a task; good evaluations resolve it. */
readonly createTasks: boolean;
/** Hours within which its tasks are to be resolved. */
readonly slaHours: number | null;
/** Failing rows are kept, masked and sealed. */
readonly keepsSamples: boolean;
readonly projectName: string;
readonly dataSourceName: string;
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly schedule: {
readonly cronExpression: string;
readonly timeZone: string;
/** The schedule in words, computed by the parser that fires it. */
readonly description: string;
/** The next times that it fires; at most five. */
readonly nextTimes: readonly string[];
} | null;
readonly recipients: readonly AttachedRecipient[];
readonly rules: readonly ContractRule[];
/** With the alert mode `OnChange`, once an evaluation has said something. */
readonly alertState: Alert | null;
/** Due times of its last outage, whose evaluations did not start in time. */
readonly lastMissed: {
readonly id: number;
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly missedCount: number;
readonly noticedAt: string;
/** `NotStarted`: it did not start in time. `PreviousRunning`: it was skipped, because the previous run was still running. */
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
/** Empty where the engine has none. */
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly description?: string | null;
/** Whether its schedule evaluates it. */
readonly isEnabled?: boolean;
/** Results that fail the contract. New contracts: `AnyRule`. A change without it keeps the present value. */
readonly failsOn?: "AnyRule" | "Score";
/** Below it an evaluation warns. */
readonly warnScore?: number;
/** Below it an evaluation fails. */
readonly failScore?: number;
readonly alertMode?: "EveryFailure" | "OnChange";
/** Warnings are told as failures are. */
readonly alertsOnWarning?: boolean;
/** For the alert mode `OnChange` alone; what is left out of it takes its default. */
readonly alert?: {
/** Runs in a row with rows until it is told. */
readonly pendingRuns?: number;
/** Runs in a row without rows until it is over. */
readonly recoverRuns?: number;
/** Told again while the rows stay, this long after it was last told; null: never. */
readonly remindMinutes?: number | null;
/** That the rows are gone is told too. */
readonly tellsRecovery?: boolean;
} | null;
/** When scheduled evaluations tell nobody: what they have to tell is told at the end. Null: never. */
readonly quietHours?: QuietHoursInput | null;
/** A scheduled evaluation that fails opens a task; good evaluations resolve it. */
readonly createTasks?: boolean;
/** Hours within which its tasks are to be resolved. */
readonly slaHours?: number | null;
/** Failing rows are kept, masked and sealed. */
readonly keepsSamples?: boolean;
/** Null: no schedule. Left out of a new contract: every day at 6:00. A change without it keeps the present one. */
readonly cronExpression?: string | null;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string | null;
readonly rules: readonly ContractRuleInput[];
};

export type DataContractInput = {
readonly projectId: number;
readonly dataSourceId: number;
/** Empty where the engine has none. */
readonly schemaName: string;
readonly tableName: string;
readonly name: string;
readonly description?: string | null;
/** Whether its schedule evaluates it. */
readonly isEnabled?: boolean;
/** Results that fail the contract. New contracts: `AnyRule`. A change without it keeps the present value. */
readonly failsOn?: "AnyRule" | "Score";
/** Below it an evaluation warns. */
readonly warnScore?: number;
/** Below it an evaluation fails. */
readonly failScore?: number;
readonly alertMode?: "EveryFailure" | "OnChange";
/** Warnings are told as failures are. */
readonly alertsOnWarning?: boolean;
/** For the alert mode `OnChange` alone; what is left out of it takes its default. */
readonly alert?: {
/** Runs in a row with rows until it is told. */
readonly pendingRuns?: number;
/** Runs in a row without rows until it is over. */
readonly recoverRuns?: number;
/** Told again while the rows stay, this long after it was last told; null: never. */
readonly remindMinutes?: number | null;
/** That the rows are gone is told too. */
readonly tellsRecovery?: boolean;
} | null;
/** When scheduled evaluations tell nobody: what they have to tell is told at the end. Null: never. */
readonly quietHours?: QuietHoursInput | null;
/** A scheduled evaluation that fails opens a task; good evaluations resolve it. */
readonly createTasks?: boolean;
/** Hours within which its tasks are to be resolved. */
readonly slaHours?: number | null;
/** Failing rows are kept, masked and sealed. */
readonly keepsSamples?: boolean;
/** Null: no schedule. Left out of a new contract: every day at 6:00. A change without it keeps the present one. */
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
/** How its last evaluation ended; null: none has ended. */
readonly lastOutcome: "Passed" | "Warned" | "Failed" | "Error" | null;
readonly lastScore: number | null;
readonly lastEvaluatedAt: string | null;
readonly createdTime: string;
};

export type DataFile = {
/** Its place below the allowed folder, e.g. `sales/orders.csv`. */
readonly name: string;
/** The absolute path, as the connection of a data source takes it. */
readonly path: string;
readonly engine: "DuckDB" | "SQLite";
/** A name that statements can read the file under. */
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
/** At most 100, the worst first. */
readonly tables: readonly ({
readonly dataSourceId: number;
readonly dataSourceName: string;
readonly schemaName: string;
readonly tableName: string;
readonly contractCount: number;
/** Of its worst contract; null: none was judged. */
readonly score: number | null;
})[];
};

export type DataSource = {
readonly id: number;
readonly name: string;
readonly description: string | null;
/** PostgreSQL, MySQL (MariaDB too), SQLite, DuckDB, SqlServer, ClickHouse, BigQuery, Snowflake, Databricks, Rest. */
readonly engine: string;
/** Settings without secrets, and in lists without documents such as `openApi`; null for callers who do not administer data sources. */
readonly connection: { readonly [name: string]: unknown } | null;
/** Names of settings that are saved but never shown; empty for callers as above. */
readonly savedSecrets: readonly string[];
/** The stored connection cannot be read any more: enter it again. */
readonly needsConnection: boolean;
/** `privileged-login`: the source was saved before such logins were refused, and keeps running; `remedy` is the SQL of a role that may only read. Empty for callers as above. */
readonly warnings: readonly ({
readonly code: string;
readonly message: string;
readonly remedy: string | null;
})[];
readonly metadataOptions: MetadataOptions;
/** Linked to at least one open project. */
readonly isOpenlyReachable: boolean;
/** Live queries on it in projects that the caller reads. */
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
/** A cap left tables out. */
readonly areTablesCut: boolean;
/** A cap left columns out. */
readonly areColumnsCut: boolean;
};

export type DecideLearnedPatternBody = {
readonly newStatus: "Approved" | "Rejected";
};

export type DefinitionDifference = {
readonly part: "Name" | "Description" | "Step" | "FinalQuery" | "Parameter";
/** The key of the step, the name of the parameter; null for other parts. */
readonly key: string | null;
readonly change: "Added" | "Removed" | "Changed" | "Moved";
readonly before: string | StoredStep | QueryParameter | null;
readonly after: string | StoredStep | QueryParameter | null;
};

export type DefinitionFile = {
/** From the top of the folder, with "/" between: `projects/shop/queries/late-orders.yaml`. */
readonly path: string;
/** YAML 1.2, JSON, or the SQL of a `.sql` file. */
readonly content: string;
};

export type DefinitionFileInput = {
/** From the top of the folder, with "/" between: `projects/shop/queries/late-orders.yaml`. */
readonly path: string;
/** YAML 1.2, JSON, or the SQL of a `.sql` file. */
readonly content: string;
};

export type DefinitionObject = {
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
readonly id: number;
readonly slug: string;
/** Who applied it; null: nobody did. */
readonly manager: string | null;
readonly appliedAt: string | null;
/** It is changed through its file alone: a change by hand answers 409 `managed-from-code`. */
readonly isManaged: boolean;
};

export type DefinitionPlan = {
readonly planId: string;
readonly expiresAt: string;
/** In the order in which they are applied. */
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
/** `Nothing`: there was nothing to do. `Released`: its file is gone, and it may be changed by hand again. `Skipped`: something that it depends on failed. */
readonly outcome: "Done" | "AwaitsApproval" | "Nothing" | "Released" | "Failed" | "Skipped" | "NotAllowed";
/** Why it failed: a code of a problem. */
readonly code: string | null;
readonly detail: string | null;
/** Members that are to blame. */
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
/** `Drifted`: somebody changed it since it was applied, and it is put back. `Replace`: a new record takes its place. `AwaitsApproval`: exactly this waits for approval already. `Orphaned`: the manager applied it once and its file is gone. */
readonly action: "Create" | "Update" | "Unchanged" | "Drifted" | "Replace" | "AwaitsApproval" | "Orphaned" | "Delete" | "NotAllowed" | "NotDeletable";
/** JSON pointers of the members that change. */
readonly members: readonly string[];
/** Applying it files a request for approval. */
readonly needsApproval: boolean;
/** Secrets that applying it takes. */
readonly needsSecrets: readonly string[];
/** Why it is not allowed or not deletable; what becomes of it otherwise. */
readonly reason: string | null;
};

export type Delivery = {
readonly id: number;
readonly recipientId: number;
readonly recipientName: string;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly attempt: number;
readonly origin: "Run" | "Resend" | "Retry";
/** Name of whoever ordered this attempt. */
readonly orderedBy: string | null;
readonly state: "Queued" | "Sending" | "Sent" | "Failed" | "Unknown" | "Skipped";
readonly reason: string | null;
/** What to do about the reason, where something can be done. */
readonly remedy: string | null;
/** What was not as asked although the message was sent. */
readonly notes: readonly string[];
/** The same for every attempt at this message; a signed webhook carries it as `webhook-id`. */
readonly messageId: string;
/** The other side's id of what was made, such as an issue's key. */
readonly remoteId: string | null;
/** Rows of the message, where the recipient got one of its own; null: the one that all get. */
readonly rowCount: number | null;
readonly bytesSent: number | null;
/** When an ordered attempt comes due. */
readonly dueAt: string | null;
readonly startedAt: string;
readonly finishedAt: string | null;
/** Admin and SecurityAdmin only. */
readonly httpClass?: string | null;
/** Admin and SecurityAdmin only. */
readonly durationMs?: number | null;
};

export type DiscoverRelationshipsAnswer = {
readonly proposals: readonly RelationshipProposal[];
};

export type DocumentImport = {
readonly sources: readonly ({
/** `settings`, or the name that the embedding application gave. */
readonly source: string;
/** False: the source could not be read, and its documents stay as they are. */
readonly isRead: boolean;
/** Documents that are new or changed. */
readonly imported: number;
/** Documents that the source does not contain any more. */
readonly archived: number;
/** The documents that were left out: the first 100. */
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
/** Tables that the model is asked about in this generation. */
readonly tablesToDescribe: number;
readonly tablesDescribed: number;
readonly tokens: {
readonly input: number;
readonly output: number;
/** Some calls were counted at their upper bound. */
readonly isEstimated: boolean;
};
/** In the money of the prices; null without prices. */
readonly cost: number | null;
readonly model: string | null;
/** Why the model said no more. What comes from records is there all the same. */
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
/** Kind of the section that it is added to. */
readonly section: string;
readonly table: string;
/** Text of the section now. */
readonly currentContent: string | null;
/** 0: the section is not written yet. */
readonly currentVersion: number;
/** Markdown that is added at the end of the section. */
readonly proposedContent: string;
readonly reasoning: string;
readonly supportingSignalCount: number;
readonly state: "Proposed" | "Applied" | "Rejected" | "Superseded";
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** Whether the caller writes in the project. */
readonly canDecide: boolean;
readonly createdTime: string;
};

export type DocumentationSection = {
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly title: string;
/** Markdown; HTML in it is shown as text. */
readonly content: string;
readonly provenance: "Facts" | "Model" | "Person";
/** What was generated since a person wrote the section. */
readonly proposedContent: string | null;
readonly proposedProvenance: "Facts" | "Model" | null;
readonly generatedAt: string | null;
readonly editedByUserName: string | null;
readonly editedAt: string | null;
readonly version: number;
};

export type DocumentationVersion = {
/** In the project, from 1 on. */
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
/** In the project, from 1 on. */
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
/** Markdown, as it was from then on. */
readonly content: string;
/** null: the section was new, or its text before is not kept any more. */
readonly previousContent: string | null;
})[];
};

export type DraftBody = {
readonly projectId: number;
/** In the order in which they run. */
readonly steps: readonly QueryStepInput[];
/** Runs over the results of the steps (DuckDB). Without it the last step is the result. */
readonly finalQuery?: string | null;
readonly parameters?: readonly QueryParameterInput[];
/** Values by parameter name; those left out take their defaults. */
readonly values?: { readonly [name: string]: string | number | boolean | null };
};

export type EvalComparison = {
readonly runId: number;
readonly withRunId: number;
/** Golden examples that passed every time here and not there. */
readonly improved: readonly number[];
/** Golden examples that passed every time there and not here. */
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
/** What was missing, refused or different; no value of a row. */
readonly detail: string | null;
readonly repairs: number;
readonly tokens: number;
readonly durationMs: number;
};

export type EvalRun = {
readonly id: number;
/** null: examples of all projects. */
readonly projectId: number | null;
readonly projectName: string | null;
readonly state: "Waiting" | "Running" | "Completed" | "Stopped" | "Cancelled" | "Failed";
readonly failure: string | null;
readonly repeats: number;
readonly maxTokens: number | null;
/** Questions to ask, each as often as it is repeated. */
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
/** Share of questions with an answer that got it; null before one was asked. Harness does not count. */
readonly accuracy: number | null;
/** Of the interval of Wilson at 95 %. */
readonly accuracyLower: number | null;
readonly accuracyUpper: number | null;
/** Share of questions without an answer of which that was said; null without such questions. */
readonly abstentionShare: number | null;
readonly repairs: number;
readonly tokens: number;
readonly model: string | null;
/** What the schedule that started it wants; null where somebody started it. */
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
/** Of all its calls. It stops before a call that could take more than is left. */
readonly maxTokens: number | null;
readonly isPaused: boolean;
/** OwnerGone: the service paused it, since its owner is disabled or no Admin any more. null: somebody did. */
readonly pauseReason: "OwnerGone" | null;
/** Who saved it last; its evaluations are theirs. */
readonly ownerName: string | null;
/** The last completed evaluation was less accurate than `minAccuracy` then. */
readonly isBelow: boolean;
readonly lastRun: {
readonly id: number;
readonly state: "Waiting" | "Running" | "Completed" | "Stopped" | "Cancelled" | "Failed";
readonly accuracy: number | null;
readonly createdTime: string;
readonly finishedAt: string | null;
} | null;
/** When it was due last and did not start, and why. */
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
/** In the order of their paths. */
readonly files: readonly DefinitionFile[];
/** Records that the caller sees and may not read in full. */
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
/** Only these. Default: every project that the caller reads. */
readonly projects?: readonly string[];
/** Default: all. */
readonly kinds?: readonly ("Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription")[];
};

export type ExportQueryBody = {
readonly format: "Csv" | "Xlsx" | "Json";
/** Values by parameter name; those left out take their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
};

export type ExternalUserInput = {
/** May be left out when one identity provider is configured. */
readonly issuer?: string;
readonly subject: string;
/** Unique, whatever the case; no space at either end. */
readonly userName: string;
readonly displayName?: string | null;
readonly email?: string | null;
readonly roles?: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
};

export type FilePreview = {
/** Null: a file of this format has no such thing. */
readonly reading: {
readonly encoding: string | null;
readonly delimiter: string | null;
readonly quote: string | null;
/** Lines that begin with it are left out; null: none. */
readonly comment: string | null;
readonly hasHeader: boolean | null;
/** Lines before the first one that counts. */
readonly skippedLines: number | null;
readonly sheet: string | null;
readonly table: string | null;
};
readonly columns: readonly ({
readonly name: string;
/** The type of DuckDB, as `types` of the settings takes it. */
readonly type: string;
/** Values in the rows below are masked. */
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
/** Newest run with rows, or the failed run; null where there is none that the caller may see. */
readonly notificationId: number | null;
/** Rows of that run. */
readonly rowCount: number | null;
/** That run has stored rows. */
readonly hasRows: boolean;
/** Reason of a failed run, from a closed list. */
readonly comment: string | null;
/** An alert is firing, which can be acknowledged. */
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
/** The newest subscription; null when there is none. */
readonly subscriptionId: number | null;
/** The last run of a subscription was sent. */
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
/** Its first question; empty before it. */
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
/** The last one. */
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
/** Where a person on that machine looks at what arrived. */
readonly pageUrl: string;
} | null;
};

export type GetLastResultAnswer = {
readonly lastResult: LastResult | null;
};

export type GetMcpContextAnswer = {
readonly context: string;
/** It names less than there is. */
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
/** Records that keep the document from being saved. */
readonly refused: readonly ({
/** Where the record begins; 1 is the heading. */
readonly line: number;
readonly column: "term" | "synonyms" | "definition" | "dataSource" | "schema" | "table" | "column" | "metricExpression" | "isActive" | null;
readonly message: string;
})[];
};

export type GlossaryInput = {
/** null: the term is of the whole project. */
readonly dataSourceId?: number | null;
readonly term: string;
readonly synonyms?: readonly string[];
readonly definition: string;
readonly target?: {
/** Empty where the engine has no schemas. */
readonly schema: string;
readonly table: string;
/** null: the table as a whole. */
readonly column: string | null;
} | null;
/** SQL of one value over the rows of the table of the target, such as `sum(amount)`. */
readonly metricExpression?: string | null;
readonly isActive?: boolean;
};

export type GlossaryRecheck = {
/** Terms about which their data source said something. */
readonly checkedCount: number;
/** Those of them that are broken. */
readonly brokenCount: number;
/** Terms whose data source could not be asked; their mark stays as it was. */
readonly uncheckedCount: number;
/** Terms that the time did not suffice for. Asking again goes on with them. */
readonly remainingCount: number;
};

export type GlossaryTerm = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
readonly dataSourceName: string | null;
/** null: the term is of the whole project. */
readonly dataSourceId: number | null;
readonly term: string;
readonly synonyms: readonly string[];
readonly definition: string;
readonly target: {
/** Empty where the engine has no schemas. */
readonly schema: string;
readonly table: string;
/** null: the table as a whole. */
readonly column: string | null;
} | null;
/** SQL of one value over the rows of the table of the target, such as `sum(amount)`. */
readonly metricExpression: string | null;
readonly isActive: boolean;
/** The data source is not linked any more, its metadata does not have the target, or the last check refused it. */
readonly isBroken: boolean;
readonly brokenReason: string | null;
/** When the data source last said something about what the term stands for. */
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
/** The statement that people said is right. */
readonly sql: string;
readonly verdict: "Right" | "Wrong";
readonly comment: string | null;
readonly userName: string | null;
readonly state: "Proposed" | "Promoted" | "Dismissed";
/** What it was made into. */
readonly goldenExampleId: number | null;
readonly proposedAt: string;
readonly decidedAt: string | null;
};

export type GoldenExample = {
readonly id: number;
readonly projectId: number;
readonly projectName: string;
/** null: the data source is gone. */
readonly dataSourceName: string | null;
readonly dataSourceId: number;
readonly question: string;
/** NoAnswer: the data cannot answer the question, and any statement would be wrong. */
readonly expected: "Rows" | "NoAnswer";
/** The statement whose rows are the right answer; null where `expected` is NoAnswer. */
readonly sql: string | null;
readonly notes: string | null;
readonly isActive: boolean;
/** The data source is not linked any more, or the last check refused the statement. */
readonly isBroken: boolean;
readonly brokenReason: string | null;
/** When the gates last said something about the statement. */
readonly checkedAt: string | null;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type GoldenRecheck = {
/** Examples about which the gates said something. */
readonly checkedCount: number;
/** Those of them that are broken. */
readonly brokenCount: number;
/** Examples whose data source could not be asked; their mark stays as it was. */
readonly uncheckedCount: number;
/** Examples that the time did not suffice for. Asking again goes on with them. */
readonly remainingCount: number;
};

export type HomeKpis = {
readonly dataSources: number;
/** Data sources whose login has more rights than reading needs; 0 for callers who administer none. */
readonly dataSourcesWithWarnings: number;
readonly projects: number;
readonly queries: number;
readonly activeSubscriptions: number;
/** Open and not snoozed. */
readonly openTasks: number;
readonly runs: number;
/** Runs that failed; not those that ran out of time. */
readonly failedRuns: number;
/** A process that runs jobs reported lately. Without one nothing that is due starts. */
readonly hasLiveWorker: boolean;
/** When a process that runs jobs last reported. */
readonly lastHeartbeatAt: string | null;
/** A process with the role Scheduler reported lately. Without one no schedule comes due. */
readonly hasLiveScheduler: boolean;
/** Queues that no live process takes jobs of: what is in them waits. */
readonly unservedQueues: readonly string[];
/** Queues that were paused: what is in them waits until they are resumed on the job dashboard. */
readonly pausedQueues: readonly string[];
};

export type HomeTrends = {
readonly from: string;
readonly to: string;
readonly days: readonly ({
/** A day in UTC; the last one is not over yet. */
readonly date: string;
readonly runs: number;
readonly sent: number;
/** Runs that failed or ran out of time. */
readonly failed: number;
/** Mean time that the queries took; null when none was measured. */
readonly averageMs: number | null;
/** 95th percentile of that time. */
readonly p95Ms: number | null;
})[];
readonly total: {
readonly runs: number;
readonly sent: number;
/** Runs that failed or ran out of time. */
readonly failed: number;
/** Mean time that the queries took; null when none was measured. */
readonly averageMs: number | null;
/** 95th percentile of that time. */
readonly p95Ms: number | null;
};
/** The same span of time, that many days earlier. */
readonly before: {
readonly runs: number;
readonly sent: number;
/** Runs that failed or ran out of time. */
readonly failed: number;
/** Mean time that the queries took; null when none was measured. */
readonly averageMs: number | null;
/** 95th percentile of that time. */
readonly p95Ms: number | null;
};
};

export type HomeUptime = {
/** Oldest first; the last one is not over yet. */
readonly hours: readonly ({
readonly from: string;
readonly runs: number;
readonly failed: number;
/** Due runs that did not start. Missed runs of one outage are taken to be evenly spaced. */
readonly missed: number;
/** At least one due run did not start. */
readonly isMissed: boolean;
})[];
/** Of the scheduled runs that ended or were missed: the share that neither failed, ran out of time nor was missed. Skipped runs do not count. Null when there is no such run. */
readonly uptime: number | null;
};

export type HubNegotiation = {
readonly negotiateVersion: number;
/** Names the connection. For clients of version 0 it is the token as well. */
readonly connectionId: string;
/** Sent as `id` with every further request of the connection. A secret. */
readonly connectionToken?: string;
readonly availableTransports: readonly ({
readonly transport: string;
readonly transferFormats: readonly string[];
})[];
};

export type ImportDataContractsBody = {
/** YAML 1.2 or JSON, at most 1 MB; without anchors, aliases and tags. */
readonly document: string;
readonly projectId: number;
readonly dataSourceId: number;
/** Says what would be made, and makes nothing. */
readonly dryRun?: boolean;
};

export type ImportGlossaryBody = {
readonly projectId: number;
/** CSV with a heading, as the export has it; `,`, `;` or tab between cells, up to 2000 terms. */
readonly document: string;
/** Says what would become of it, and saves nothing. */
readonly dryRun?: boolean;
};

export type ImportedDocument = {
readonly id: number;
/** Where it comes from: `settings`, the name that the embedding application gave, or `upload`. */
readonly source: string;
/** Its place below the source, with slashes. */
readonly path: string;
readonly title: string;
readonly byteLength: number;
readonly importedAt: string;
/** A project admin uploaded it, and may replace or remove it. False: an import brings it. */
readonly isUploaded: boolean;
/** Name of the user who uploaded it last. */
readonly uploadedBy: string | null;
readonly content: string;
};

export type ImportedDocumentItem = {
readonly id: number;
/** Where it comes from: `settings`, the name that the embedding application gave, or `upload`. */
readonly source: string;
/** Its place below the source, with slashes. */
readonly path: string;
readonly title: string;
readonly byteLength: number;
readonly importedAt: string;
/** A project admin uploaded it, and may replace or remove it. False: an import brings it. */
readonly isUploaded: boolean;
/** Name of the user who uploaded it last. */
readonly uploadedBy: string | null;
};

export type InstructDocumentationAnswer = {
/** Markdown without HTML, images and links. */
readonly content: string;
readonly model: string;
readonly tokens: {
readonly input: number;
readonly output: number;
/** Some calls were counted at their upper bound. */
readonly isEstimated: boolean;
};
/** In the money of the prices; null without prices. */
readonly cost: number | null;
};

export type InstructDocumentationBody = {
readonly instruction: string;
/** Default: the text of the section. */
readonly content?: string;
};

export type InternalUserInput = {
/** Unique, whatever the case; no space at either end. */
readonly userName: string;
readonly displayName?: string | null;
readonly email?: string | null;
/** Has to be changed at first sign-in. */
readonly password: string;
readonly roles?: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
};

export type LastResult = {
readonly notificationId: number;
readonly subscriptionId: number | null;
readonly ranAt: string;
readonly origin: "Schedule" | "Test";
/** Who ran it by hand; null: the schedule did. */
readonly startedByUserName: string | null;
/** The version that ran; null where none is known. */
readonly versionNumber: number | null;
/** Rows that came out, of which some may be kept. */
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
/** What was learnt, in one sentence, made of names of the schema. */
readonly text: string;
/** Of a common query: its statement, with `?` for each value. */
readonly statement: string | null;
readonly signalCount: number;
readonly callerCount: number;
readonly state: "Proposed" | "Approved" | "Rejected" | "Superseded";
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** What was replayed when it was decided. */
readonly replay: PatternReplay | null;
/** Whether the caller writes in the project. */
readonly canDecide: boolean;
readonly createdTime: string;
readonly lastRefreshedAt: string;
};

export type LearningStats = {
readonly totalSignals: number;
readonly signals7d: number;
readonly signals30d: number;
/** Share of statements that were answered; null without any. */
readonly successRate: number | null;
readonly patternsApproved: number;
readonly patternsProposed: number;
readonly patternsRejected: number;
readonly patchesApplied: number;
readonly patchesProposed: number;
/** Tables with 3 signals or more of which some were refused, the worst share first; 50 at most. */
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
/** There are more files than are listed. */
readonly isCut: boolean;
/** The folders that files of data sources lie in; uploaded ones go into the first. */
readonly folders: readonly string[];
/** Largest file that may be uploaded; 0: none may. */
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
/** As the model wrote it; null: nothing whole came, or it repeats a key of the connection. */
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
/** null: under way. */
readonly durationMs: number | null;
/** `Answered`, `Refused`, `Lost`, or the code of a failure; null: under way. */
readonly outcome: string | null;
readonly inputTokens: number | null;
readonly outputTokens: number | null;
/** The provider counted nothing: an upper bound is booked. */
readonly isEstimated: boolean;
/** At the prices that held; null: without prices. */
readonly cost: number | null;
/** SHA-256 of what was sent, in hex: equal prompts have equal ones. */
readonly promptHash: string | null;
readonly isContentKept: boolean;
};

export type LlmConnectionSetting = {
readonly value: {
readonly provider: "OpenAi" | "OpenAiCompatible" | "Anthropic" | "AzureOpenAi" | "Bedrock";
readonly api: "Responses" | "ChatCompletions";
/** Null: the provider's own address. */
readonly endpoint: string | null;
readonly region: string | null;
readonly model: string;
/** Null: the same as `model`. */
readonly fastModel: string | null;
/** Null: what calls cost is not counted. */
readonly prices: {
readonly main: {
/** Of a million tokens that are sent. */
readonly inputPerMillion: number;
/** Of a million tokens that are answered. */
readonly outputPerMillion: number;
};
/** Null: as `main`. */
readonly fast?: {
/** Of a million tokens that are sent. */
readonly inputPerMillion: number;
/** Of a million tokens that are answered. */
readonly outputPerMillion: number;
} | null;
} | null;
readonly hasApiKey: boolean;
readonly hasAwsAccessKeyId: boolean;
readonly hasAwsSecretAccessKey: boolean;
readonly hasAwsSessionToken: boolean;
} | null;
readonly isSetAtRunTime: boolean;
/** Configuration holds it: a change answers 409. */
readonly isLocked: boolean;
/** False: `Svc:LLM:Enabled` is off, and nothing is asked. */
readonly isEnabled: boolean;
/** `Svc:LLM:KeepsContent`: prompts and answers are kept for seven days, for Admins. */
readonly keepsContent: boolean;
readonly needs: "Admin";
};

export type LlmLimits = {
/** Of the service in a month of UTC, in the money of the prices. Null: no limit. */
readonly monthlyBudget: number | null;
/** Of the service in a month of UTC. Null: no limit. */
readonly monthlyTokens: number | null;
/** Of one user on a day of UTC. */
readonly dailyTokensPerUser: number;
/** Of all processes. */
readonly callsPerMinute: number;
/** Of all processes. */
readonly tokensPerMinute: number;
/** Of all processes. */
readonly maxConcurrentCalls: number;
/** For a call with all its attempts. */
readonly callTimeoutSeconds: number;
/** Of instructions and data together. */
readonly maxPromptBytes: number;
};

export type LlmLimitsSetting = {
readonly value: LlmLimits;
readonly configuredValue: LlmLimits;
readonly isSetAtRunTime: boolean;
/** Configuration holds them: a change answers 409. */
readonly isLocked: boolean;
readonly needs: "SecurityAdmin";
};

export type LlmOwnUsage = {
readonly items: readonly ({
readonly day: string;
/** Requests to the provider, repeated ones too. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count: their upper bound is booked. */
readonly estimatedCalls: number;
/** At the prices that held; calls made without prices count nothing. */
readonly cost: number;
})[];
readonly total: {
/** Requests to the provider, repeated ones too. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count: their upper bound is booked. */
readonly estimatedCalls: number;
/** At the prices that held; calls made without prices count nothing. */
readonly cost: number;
};
/** Tokens of today (UTC), of the caller. */
readonly today: {
readonly spent: number;
/** Set aside for calls under way. */
readonly reserved: number;
/** null: no limit. */
readonly limit: number | null;
};
};

export type LlmStatus = {
readonly state: "Ready" | "NotConfigured" | "BudgetSpent" | "Failing";
/** What it is, and who can change it. */
readonly detail: string;
};

export type LlmTest = {
readonly ok: boolean;
readonly model: string;
readonly latencyMs: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** The provider counted nothing: these are upper bounds. */
readonly isEstimated: boolean;
/** Code of the failure, such as `Unauthorised`. */
readonly failure: string | null;
/** The failure in a sentence. */
readonly detail: string | null;
};

export type LlmTestInput = {
/** How the language model is reached. Null: as configured. Needs an Admin. */
readonly llmConnection?: {
readonly provider: "OpenAi" | "OpenAiCompatible" | "Anthropic" | "AzureOpenAi" | "Bedrock";
readonly api?: "Responses" | "ChatCompletions";
/** Address below which the paths of the protocol are, such as https://llm.example.org/v1. */
readonly endpoint?: string | null;
readonly region?: string | null;
readonly model: string;
readonly fastModel?: string | null;
/** Absent or null: none. */
readonly prices?: {
readonly main: {
/** Of a million tokens that are sent. */
readonly inputPerMillion: number;
/** Of a million tokens that are answered. */
readonly outputPerMillion: number;
};
/** Null: as `main`. */
readonly fast?: {
/** Of a million tokens that are sent. */
readonly inputPerMillion: number;
/** Of a million tokens that are answered. */
readonly outputPerMillion: number;
} | null;
} | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly apiKey?: string | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly awsAccessKeyId?: string | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly awsSecretAccessKey?: string | null;
/** Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none. */
readonly awsSessionToken?: string | null;
};
};

export type LlmUsage = {
readonly by: "Day" | "Purpose" | "User" | "Project" | "Model";
readonly from: string;
readonly to: string;
readonly items: readonly ({
/** A day, a purpose, a model, or an id; empty for nobody in particular. */
readonly key: string;
readonly label: string;
/** Requests to the provider, repeated ones too. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count: their upper bound is booked. */
readonly estimatedCalls: number;
/** At the prices that held; calls made without prices count nothing. */
readonly cost: number;
})[];
readonly total: {
/** Requests to the provider, repeated ones too. */
readonly calls: number;
readonly failedCalls: number;
readonly inputTokens: number;
readonly outputTokens: number;
/** Calls whose tokens the provider did not count: their upper bound is booked. */
readonly estimatedCalls: number;
/** At the prices that held; calls made without prices count nothing. */
readonly cost: number;
};
/** Tokens and money of this month (UTC), of the whole service. */
readonly month: {
readonly spent: number;
/** Set aside for calls under way. */
readonly reserved: number;
/** null: no limit. */
readonly limit: number | null;
readonly money: {
readonly spent: number;
readonly reserved: number;
/** null: no limit. */
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
/** Whether AI clients may call tools at all. */
readonly isEnabled: boolean | null;
/** Names of tools that are switched off. */
readonly disabledTools: readonly string[] | null;
/** Most rows of one result. */
readonly maxRows: number | null;
/** Longest time of one statement, in seconds. */
readonly statementTimeoutSeconds: number | null;
/** Most bytes of the rows of one result, in its text and in its structure each. */
readonly maxResultBytes: number | null;
/** Calls of one caller at once, by process. */
readonly maxConcurrentCalls: number | null;
/** Calls of one caller a minute, by process. */
readonly maxCallsPerMinute: number | null;
/** More patterns of column names and values that are masked, beside those of the configuration. */
readonly piiPatterns: readonly string[] | null;
/** Whether the audit keeps the arguments of calls. */
readonly keepsStatements: boolean | null;
/** Whether use of the data is learnt from. Nothing of it takes effect before somebody approves it. */
readonly learns: boolean | null;
/** Published: clients find only queries that a SecurityAdmin published, and run the version that was. All: every saved query, as it is saved now. */
readonly savedQueries: "Published" | "All" | null;
/** Whether questions in plain language are taken, from people and from AI clients. */
readonly isAskEnabled: boolean | null;
/** Whether only statements that people have checked answer questions; no language model writes any. */
readonly answersOnlyChecked: boolean | null;
/** Never: no row goes to a language model. Masked: those of an answer do, masked, when whoever asked wants it explained. */
readonly rowsToModel: "Never" | "Masked" | null;
/** Statements that a language model writes for one question; that answers whose rows most of them give. */
readonly candidates: number | null;
};
readonly effective: McpProjectValues;
/** Decided by the configuration; changing one answers 409. */
readonly lockedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Set higher than the configuration allows now. */
readonly clampedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Most that each number may be set to, by field. */
readonly ceilings: { readonly [name: string]: number };
/** 0: nothing was ever saved. */
readonly version: number;
readonly updatedAt: string | null;
readonly updatedByUserName: string | null;
};

export type McpProjectValues = {
/** Whether AI clients may call tools at all. */
readonly isEnabled: boolean;
/** Names of tools that are switched off. */
readonly disabledTools: readonly string[];
/** Most rows of one result. */
readonly maxRows: number;
/** Longest time of one statement, in seconds. */
readonly statementTimeoutSeconds: number;
/** Most bytes of the rows of one result, in its text and in its structure each. */
readonly maxResultBytes: number;
/** Calls of one caller at once, by process. */
readonly maxConcurrentCalls: number;
/** Calls of one caller a minute, by process. */
readonly maxCallsPerMinute: number;
/** More patterns of column names and values that are masked, beside those of the configuration. */
readonly piiPatterns: readonly string[];
/** Whether the audit keeps the arguments of calls. */
readonly keepsStatements: boolean;
/** Whether use of the data is learnt from. Nothing of it takes effect before somebody approves it. */
readonly learns: boolean;
/** Published: clients find only queries that a SecurityAdmin published, and run the version that was. All: every saved query, as it is saved now. */
readonly savedQueries: "Published" | "All";
/** Whether questions in plain language are taken, from people and from AI clients. */
readonly isAskEnabled: boolean;
/** Whether only statements that people have checked answer questions; no language model writes any. */
readonly answersOnlyChecked: boolean;
/** Never: no row goes to a language model. Masked: those of an answer do, masked, when whoever asked wants it explained. */
readonly rowsToModel: "Never" | "Masked";
/** Statements that a language model writes for one question; that answers whose rows most of them give. */
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
/** Decided by the configuration; changing one answers 409. */
readonly lockedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Set higher than the configuration allows now. */
readonly clampedFields: readonly ("isEnabled" | "disabledTools" | "maxRows" | "statementTimeoutSeconds" | "maxResultBytes" | "maxConcurrentCalls" | "maxCallsPerMinute" | "piiPatterns" | "keepsStatements" | "learns" | "savedQueries" | "isAskEnabled" | "answersOnlyChecked" | "rowsToModel" | "candidates" | "instruction" | "toolDescriptions")[];
/** Most that each number may be set to, by field. */
readonly ceilings: { readonly [name: string]: number };
/** 0: nothing was ever saved. */
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
/** False: switched off for this project. */
readonly isEnabled: boolean;
};

export type McpToolResult = {
readonly isError: boolean;
/** What a model would read. */
readonly text: string;
readonly structuredContent: { readonly [name: string]: unknown } | null;
readonly rowCount: number | null;
readonly resultBytes: number;
readonly executionTimeMs: number;
};

export type McpValues = {
/** Whether AI clients may call tools at all. */
readonly isEnabled: boolean;
/** Names of tools that are switched off. */
readonly disabledTools: readonly string[];
/** Most rows of one result. */
readonly maxRows: number;
/** Longest time of one statement, in seconds. */
readonly statementTimeoutSeconds: number;
/** Most bytes of the rows of one result, in its text and in its structure each. */
readonly maxResultBytes: number;
/** Calls of one caller at once, by process. */
readonly maxConcurrentCalls: number;
/** Calls of one caller a minute, by process. */
readonly maxCallsPerMinute: number;
/** More patterns of column names and values that are masked, beside those of the configuration. */
readonly piiPatterns: readonly string[];
/** Whether the audit keeps the arguments of calls. */
readonly keepsStatements: boolean;
/** Whether use of the data is learnt from. Nothing of it takes effect before somebody approves it. */
readonly learns: boolean;
/** Published: clients find only queries that a SecurityAdmin published, and run the version that was. All: every saved query, as it is saved now. */
readonly savedQueries: "Published" | "All";
/** Whether questions in plain language are taken, from people and from AI clients. */
readonly isAskEnabled: boolean;
/** Whether only statements that people have checked answer questions; no language model writes any. */
readonly answersOnlyChecked: boolean;
/** Never: no row goes to a language model. Masked: those of an answer do, masked, when whoever asked wants it explained. */
readonly rowsToModel: "Never" | "Masked";
/** Statements that a language model writes for one question; that answers whose rows most of them give. */
readonly candidates: number;
/** What every client is told beside the built-in instructions. */
readonly instruction: string | null;
/** Descriptions that replace the built-in ones, by tool. */
readonly toolDescriptions: { readonly [name: string]: string };
};

export type MessagePreview = {
readonly source: "LastRun" | "DryRun";
/** The run whose message it is. */
readonly notificationId: number | null;
readonly outcome: "Notify" | "NoResults" | "BelowThreshold" | "Silenced";
/** Null for a run that timed out, and for a message that tells of no rows. */
readonly totalRows: number | null;
readonly attachment: {
readonly name: string;
readonly contentType: string;
readonly rowCount: number;
} | null;
/** Where recipients get rows of their own: who gets how many. Null: all get the same. */
readonly routed: {
/** Whose message is shown; null: what everybody gets. */
readonly recipientId: number | null;
readonly recipients: readonly ({
readonly id: number;
readonly name: string;
readonly rowCount: number;
})[];
/** Rows that nobody would get; null where it is not known any more. */
readonly unroutedCount: number | null;
} | null;
readonly payloads: readonly PayloadPreview[];
};

export type MetadataOptions = {
/** Whether metadata is read at all. */
readonly isEnabled: boolean;
readonly maxTables: number | null;
readonly maxColumnsPerTable: number | null;
readonly tableNamesOnly: boolean;
readonly includeSchemas: readonly string[];
readonly excludeSchemas: readonly string[];
/** When metadata is read again by itself; null: never. Default 24. */
readonly refreshEveryHours: number | null;
};

export type MigrationDataSource = {
readonly id: number;
readonly name: string;
readonly engine: string;
/** The engine can be written to, and an Admin allows it. */
readonly canWrite: boolean;
};

export type MigrationExecution = {
readonly id: number;
readonly migrationJobId: number;
/** What the job was called when this began. */
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
/** What the source’s engine meant to read; null where it did not say. */
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
/** Make the table when it is not there. */
readonly createsTable: boolean;
readonly mode: "Insert" | "Upsert" | "Truncate" | "Sync";
/** By which rows are told apart; empty: the primary key of the destination. */
readonly keyColumns: readonly string[];
/** Which column goes where; null: by name. */
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
/** The schedule fires. */
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
/** Make the table when it is not there. */
readonly createsTable?: boolean;
readonly mode: "Insert" | "Upsert" | "Truncate" | "Sync";
/** By which rows are told apart; empty: the primary key of the destination. */
readonly keyColumns?: readonly string[];
/** Which column goes where; null: by name. */
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
/** The schedule fires. */
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
/** Null: no destination was named, or it is not there. */
readonly destinationColumns: readonly ({
readonly name: string;
readonly type: string;
readonly isNullable: boolean;
/** The server computes it: nothing can be written to it. */
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
/** False: the copy would make the table, or be refused. */
readonly destinationExists: boolean;
} | null;
readonly rows: {
readonly columns: readonly ({
readonly name: string;
readonly kind: string;
readonly databaseType: string;
readonly isMasked: boolean;
/** Why the column is masked and what to change; null: not masked. */
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
/** Make the table when it is not there. */
readonly createsTable?: boolean;
readonly mode?: "Insert" | "Upsert" | "Truncate" | "Sync";
/** By which rows are told apart; empty: the primary key of the destination. */
readonly keyColumns?: readonly string[];
/** Which column goes where; null: by name. */
readonly columns?: readonly ({
readonly from: string;
readonly to: string;
})[] | null;
readonly incremental?: {
readonly column: string;
readonly lookbackSeconds: number;
} | null;
readonly personalData?: "Refuse" | "Mask" | "Copy";
/** Also the first 50 rows, personal data masked. */
readonly withRows?: boolean;
};

export type MigrationSummary = {
readonly jobs: number;
/** Copies that wait or run. */
readonly running: number;
/** Copies that came through in the last 24 hours. */
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
/** A cap left tables out, or metadata is switched off. */
readonly areTablesCut: boolean;
/** Names that the settings give to files, those that are not there yet as well. Null: it has no files. */
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
/** False: the copy would make the table, or be refused. */
readonly destinationExists: boolean;
};

export type MissedRuns = {
readonly id: number;
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly missedCount: number;
readonly noticedAt: string;
/** `NotStarted`: it did not start in time. `PreviousRunning`: it was skipped, because the previous run was still running. */
readonly reason: "NotStarted" | "PreviousRunning";
};

export type MoveQueriesAnswer = {
/** Those that stood there already are not among them. */
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
/** Null for keys made before a list was required. */
readonly allowedProjectIds: readonly number[] | null;
readonly createdTime: string;
readonly lastUsedAt: string | null;
readonly expiresAt: string | null;
/** False once revoked, expired, or stopped by the state of its owner. */
readonly isActive: boolean;
readonly isExpired: boolean;
readonly revokedAt: string | null;
/** 1, 3 or 14 while the key works and ends within as many days; else null. */
readonly endsWithinDays: number | null;
readonly replacedByKeyId: number | null;
readonly plainTextKey: string;
};

export type Notice = {
readonly id: number;
readonly kind: "RunFailed" | "RunMissed" | "RunOverlapped" | "SubscriptionStopped" | "RecipientGone" | "RowsUnrouted" | "MigrationFailed" | "MigrationMissed" | "QueryBroken" | "ContractError" | "ContractFailed" | "ContractRecovered" | "ActorFailed" | "ActorPaused" | "KeyExpires" | "EvaluationMissed" | "AccuracyDropped" | "AccuracyRecovered" | "EvaluationPaused" | "LlmBudget" | "ClockSetBack" | "TaskOpened" | "TaskAssigned" | "TaskCommented" | "TaskCountChanged" | "TaskWoke" | "TaskOverdue" | "TaskResolved" | "TaskReopened";
readonly text: string;
readonly subjectKind: "Subscription" | "Query" | "Contract" | "Task" | "MigrationJob" | "AiActor" | "EvaluationSchedule" | "ApiKey" | "Settings";
/** Id of what it is about; null for the settings. Of the schedule of evaluations: that of its project. */
readonly subjectId: number | null;
/** What that was called when this was told. */
readonly subjectName: string;
/** The run that it is about. */
readonly notificationId: number | null;
readonly projectId: number | null;
readonly createdTime: string;
readonly readAt: string | null;
};

export type Notification = {
readonly id: number;
readonly subscriptionId: number | null;
/** The data contract whose evaluation it tells of. */
readonly contractId: number | null;
readonly queryId: number | null;
readonly queryName: string;
/** The version of the query that ran; null where none is known. */
readonly queryVersionId: number | null;
/** The number of that version. */
readonly versionNumber: number | null;
readonly projectId: number;
readonly origin: "Schedule" | "Test";
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
/** Why a `Silenced` run sent nothing. */
readonly silencedBy: "StillFiring" | "AlertPending" | "Snoozed" | "QuietHours" | "Baseline" | "NothingChanged" | "NothingRouted" | null;
/** Why the run ended: one of a closed list of reasons. The database's message is part of it for those who may read the query. */
readonly comment: string | null;
/** Rows of the result; of a data contract the rules that did not pass. */
readonly resultCount: number | null;
/** Violations of the rules of a data contract. A row counts once for each rule that it breaks. Null for other runs, and if no rule counts violations. */
readonly violationCount: number | null;
/** Rows that nobody got, of a run whose recipients get rows of their own; null of others. */
readonly unroutedCount: number | null;
readonly executionTimeMs: number | null;
readonly dueAt: string;
readonly createdTime: string;
/** The run has something to tell, and quiet hours hold it until then. */
readonly heldUntil: string | null;
readonly sentAt: string | null;
readonly finishedAt: string | null;
/** When the last recipient whom the failed run had left out got its message after all. */
readonly recoveredAt: string | null;
readonly recipientNames: readonly string[];
};

export type NotificationDetail = {
readonly id: number;
readonly subscriptionId: number | null;
/** The data contract whose evaluation it tells of. */
readonly contractId: number | null;
readonly queryId: number | null;
readonly queryName: string;
/** The version of the query that ran; null where none is known. */
readonly queryVersionId: number | null;
/** The number of that version. */
readonly versionNumber: number | null;
readonly projectId: number;
readonly origin: "Schedule" | "Test";
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
/** Why a `Silenced` run sent nothing. */
readonly silencedBy: "StillFiring" | "AlertPending" | "Snoozed" | "QuietHours" | "Baseline" | "NothingChanged" | "NothingRouted" | null;
/** Why the run ended: one of a closed list of reasons. The database's message is part of it for those who may read the query. */
readonly comment: string | null;
/** Rows of the result; of a data contract the rules that did not pass. */
readonly resultCount: number | null;
/** Violations of the rules of a data contract. A row counts once for each rule that it breaks. Null for other runs, and if no rule counts violations. */
readonly violationCount: number | null;
/** Rows that nobody got, of a run whose recipients get rows of their own; null of others. */
readonly unroutedCount: number | null;
readonly executionTimeMs: number | null;
readonly dueAt: string;
readonly createdTime: string;
/** The run has something to tell, and quiet hours hold it until then. */
readonly heldUntil: string | null;
readonly sentAt: string | null;
readonly finishedAt: string | null;
/** When the last recipient whom the failed run had left out got its message after all. */
readonly recoveredAt: string | null;
readonly failure: {
/** The step that failed; null for the final query. */
readonly stepOrder: number | null;
/** The database's message, without values of rows; the class of the error where it could hold some. */
readonly message: string;
/** Line in the text of the step, from 1. */
readonly line: number | null;
/** Column in that line, from 1. */
readonly column: number | null;
/** That line, as the version that ran has it. */
readonly sqlLine: string | null;
} | null;
readonly projectName: string;
readonly previousResultCount: number | null;
readonly startedAt: string | null;
readonly deliveries: readonly Delivery[];
/** Deliveries that were not made can be made again. */
readonly isMessageKept: boolean;
readonly results: {
readonly columns: readonly string[];
readonly rows: readonly (readonly unknown[])[];
readonly isTruncated: boolean;
} | null;
readonly traceId: string | null;
};

export type OdcsImport = {
/** One for each table of the document. */
readonly contracts: readonly ({
/** Null: it was not made, `dryRun` asked only. */
readonly id: number | null;
readonly name: string;
readonly schemaName: string;
readonly tableName: string;
readonly ruleCount: number;
/** False: evaluations end as `Error` until the data source has the table. */
readonly tableExists: boolean;
})[];
/** Parts that became rules. */
readonly read: readonly ({
/** JSON pointer into the document. */
readonly path: string;
readonly note: string;
})[];
/** Parts that are not judged, and stand in the document again on export. */
readonly kept: readonly ({
/** JSON pointer into the document. */
readonly path: string;
readonly note: string;
})[];
/** Parts that were left out, and why. */
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
/** Null: a draft, saved or not. */
readonly queryId: number | null;
readonly queryName: string | null;
/** The version that ran; null: what no version says. */
readonly versionNumber: number | null;
readonly steps: readonly ({
readonly dataSourceId: number;
/** Null where the project does not hold it any more. */
readonly dataSourceName: string | null;
readonly name: string | null;
readonly sql: string;
})[];
readonly finalQuery: string | null;
readonly outcome: "Succeeded" | "Failed" | "Stopped";
/** Why it failed, in words that repeat nothing of the data. */
readonly message: string | null;
readonly rowCount: number | null;
readonly durationMs: number;
readonly ranAt: string;
};

export type PatternReplay = {
readonly replayedAt: string;
/** Golden examples of the data source whose statements name what the pattern is about. */
readonly exampleCount: number;
/** Those that were asked of the data source. */
readonly checkedCount: number;
/** Their statements do what the pattern says. */
readonly agreeing: number;
/** Their statements do otherwise. */
readonly contradicting: number;
/** A gate refuses their statements now. */
readonly broken: number;
readonly examples: readonly ({
readonly goldenExampleId: number;
readonly relation: "Agrees" | "Contradicts" | "Neither";
/** What the gates say of its statement now. Unchecked: the source could not be asked in time. */
readonly check: "Passed" | "Failed" | "Unchecked";
})[];
};

export type PayloadPreview = {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly contentType: string;
/** Email only. */
readonly subject: string | null;
/** Email only: the plain-text part. */
readonly text: string | null;
/** Exactly what would be sent. Null where a body template shapes it and the caller may not see templates. */
readonly body: string | null;
readonly bytes: number | null;
/** False when a body template shaped it. */
readonly isDefault: boolean;
readonly findings: readonly ({
readonly code: string;
readonly text: string;
})[];
/** Three signature headers are added when it is sent. */
readonly isSigned: boolean;
/** Custom headers; their values are secrets. */
readonly headerNames: readonly string[];
readonly recipients: readonly ({
readonly id: number;
readonly name: string;
/** Why it would get nothing. */
readonly problem: string | null;
})[];
};

export type Permissions = {
readonly canRead: boolean;
readonly canWrite: boolean;
readonly isAdmin: boolean;
/** Sorted; an Admin holds all. */
readonly permissions: readonly ("UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
readonly migrationsEnabled: boolean;
};

export type PlanDefinitionsBody = {
readonly files: readonly DefinitionFileInput[];
/** Names the folder that manages the records. Default `default`. */
readonly manager?: string;
/** Records that are applied are changed through their files alone from then on, until an Admin releases them; those whose files are gone are given back. */
readonly managed?: boolean;
/** Deletes what the manager applied once and whose file is gone. */
readonly prune?: boolean;
/** Values of the secrets that files refer to, by name. They are in no plan, log or answer. */
readonly secrets?: { readonly [name: string]: string };
};

export type Preflight = {
/** No gate failed. */
readonly isReady: boolean;
readonly gates: readonly PreflightGate[];
};

export type PreflightGate = {
readonly gate: "parameters" | "statement" | "source" | "engine" | "masking" | "limits";
/** The step that is meant; null: the whole query. */
readonly stepOrder: number | null;
readonly isFinalQuery: boolean;
readonly verdict: "Passed" | "Failed" | "Warned" | "NotChecked";
/** What was found. */
readonly message: string;
/** What to do about it. */
readonly next: string | null;
/** In the text of the step, or of the final query. */
readonly position: {
readonly line: number;
readonly column: number;
} | null;
};

export type PreviewDataFileBody = {
/** An entry of `files` in the connection of a DuckDB data source, such as `{"path": "/data/orders.csv", "delimiter": ";"}`. Its `name` may be left out. */
readonly file: { readonly [name: string]: unknown };
};

export type PreviewMessagesBody = {
readonly source: "LastRun" | "DryRun";
/** Shows what this recipient gets alone. */
readonly recipientId?: number | null;
/** With `LastRun`: this run in its place. */
readonly notificationId?: number | null;
};

export type PreviewQueryBody = {
/** Values by parameter name; those left out take their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type PreviewQueryStepBody = {
/** Values by parameter name; those left out take their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
};

export type PreviewQueryVersionBody = {
/** Values by parameter name; those left out take their defaults. */
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
/** A URI reference that names the kind of problem and leads to its explanation: the entry of `code` at `/svc/help/errors`, unless it says `about:blank` or `/errors/…`. */
readonly type: string;
readonly title: string;
readonly status: number;
/** What happened and what to do next. */
readonly detail?: string;
/** A stable word for programs; the examples of each answer list those that are known. */
readonly code?: string;
/** Names this request in the logs. */
readonly traceId?: string;
/** One entry per member that was refused. */
readonly errors?: readonly ({
/** JSON pointer into the body, or the name of the parameter. */
readonly path: string;
readonly message: string;
})[];
/** Text to copy that mends what was refused, e.g. the SQL of a role where a login may do too much. */
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
/** Whether the user may sign in at all. */
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
/** Names of its folders from the top down, with "/" between. */
readonly folderPath: string | null;
/** Made after its schema changed. */
readonly check: {
readonly verdict: "Passed" | "Failed" | "NotChecked";
/** What the engine said; null where it accepted the query. */
readonly message: string | null;
readonly checkedAt: string;
} | null;
readonly isLocked: boolean;
readonly subscriptionCount: number;
readonly isDemo: boolean;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
/** Names the stored definition; `version` counts every change. Null until a new query is approved. */
readonly versionNumber: number | null;
readonly pendingVersion: {
readonly id: number;
readonly versionNumber: number;
readonly approvalId: number;
readonly requestedByUserName: string | null;
/** The caller requested the approval: only the requester may withdraw or replace the version. */
readonly isOwn: boolean;
} | null;
/** Who saved what the query says; null: the service. */
readonly savedByUserName: string | null;
readonly savedAt: string;
/** Who made the query; null: the service. */
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
/** The plan of an AI actor, which is opened and decided by its own routes; null for other kinds. */
readonly planId: number | null;
/** Null where the record belongs to no project. */
readonly projectName: string | null;
readonly status: "Pending" | "Approved" | "Rejected" | "Withdrawn";
/** The record itself is new: there is nothing before. */
readonly isNew: boolean;
/** What differs from what was approved. */
readonly changedParts: readonly ("NotificationType" | "Destination" | "CustomHeaders" | "Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly requestedByUserName: string | null;
/** The caller made the request, and so cannot approve or reject it. */
readonly isOwn: boolean;
readonly createdTime: string;
/** When its requester last changed it. */
readonly submittedAt: string;
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
/** The reviewer's. */
readonly comment: string | null;
readonly projectId: number;
readonly changeSource: "User" | "Restore" | "AiActor" | "Import";
/** The requester's. */
readonly changeReason: string | null;
readonly proposed: QueryDefinitionView;
/** What runs until it is approved, or ran until it was decided; null for a new query. */
readonly active: {
readonly versionId: number;
readonly versionNumber: number;
readonly name: string;
readonly description: string | null;
readonly steps: readonly ({
/** Names the step through all versions of the query, wherever it moves. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
/** Null where its project does not hold it any more. */
readonly dataSourceName: string | null;
readonly isSourceLinked: boolean;
})[];
readonly finalQuery: string | null;
readonly parameters: readonly QueryParameter[];
} | null;
readonly parts: readonly DefinitionDifference[];
/** Stands for both sides; approving sends it back. Null once the request is over. */
readonly approvalHash: string | null;
readonly usedBy: {
readonly subscriptionCount: number;
/** Different recipients of all its subscriptions. */
readonly recipientCount: number;
/** The first 50. */
readonly subscriptions: readonly ({
readonly subscriptionId: number;
readonly cronExpression: string;
readonly timeZone: string;
readonly ownerUserName: string | null;
readonly recipientNames: readonly string[];
})[];
};
/** The caller reads the project, and so may see its rows. */
readonly canCompare: boolean;
};

export type QueryChange = {
/** Names the entry together with its kind. */
readonly id: number;
readonly kind: "Version" | "Locked" | "Unlocked" | "Moved" | "Published" | "Unpublished";
/** The version that was made, or published. */
readonly versionId: number | null;
readonly versionNumber: number | null;
readonly source: "User" | "Restore" | "AiActor" | "Import" | null;
readonly byUserName: string | null;
readonly reason: string | null;
readonly status: "Active" | "Archived" | "PendingApproval" | "Rejected" | "Withdrawn" | null;
/** Who approved or rejected the version. */
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
/** Names the step through all versions of the query, wherever it moves. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
/** Null where its project does not hold it any more. */
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
/** Names from the top down, with "/" between them. */
readonly path: string;
readonly depth: number;
/** Queries in it and in the folders below it. */
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
/** Names of its folders from the top down, with "/" between. */
readonly folderPath: string | null;
/** Made after its schema changed. */
readonly check: {
readonly verdict: "Passed" | "Failed" | "NotChecked";
/** What the engine said; null where it accepted the query. */
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
/** Null until it is published for the first time. */
readonly name: string | null;
/** As clients call it; null while it is not published. */
readonly toolName: string | null;
/** Null: that of the version. */
readonly description: string | null;
readonly versionId: number | null;
/** The version that runs, whatever is saved later. */
readonly versionNumber: number | null;
readonly newestVersionId: number | null;
/** What the query says now. */
readonly newestVersionNumber: number | null;
readonly isNewest: boolean;
/** Each version that is approved becomes the one that runs: queries need approval here. */
readonly isFollowing: boolean;
/** What clients are told; null while it is not published. */
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
/** 0: it was never published. */
readonly version: number;
};

export type QueryParameter = {
/** Written in the SQL as {{name}}. */
readonly name: string;
readonly type: "Number" | "DateTime" | "Date" | "String" | "Boolean";
readonly description?: string | null;
readonly defaultValue?: string | number | boolean | null;
/** Without a value and a default it is refused; otherwise it is NULL. Default true. */
readonly isRequired?: boolean;
};

export type QueryParameterInput = {
/** Written in the SQL as {{name}}. */
readonly name: string;
readonly type: "Number" | "DateTime" | "Date" | "String" | "Boolean";
readonly description?: string | null;
readonly defaultValue?: string | number | boolean | null;
/** Without a value and a default it is refused; otherwise it is NULL. Default true. */
readonly isRequired?: boolean;
};

export type QueryPlans = {
readonly steps: readonly StepPlan[];
};

export type QueryPreview = {
/** The stored definition that ran; null: one that is not saved. */
readonly versionNumber: number | null;
readonly columns: readonly ({
readonly name: string;
readonly kind: string;
readonly databaseType: string;
readonly isMasked: boolean;
/** Why the column is masked and what to change in the statement; null: not masked. */
readonly maskedReason: string | null;
})[];
readonly rows: readonly (readonly unknown[])[];
readonly page: number;
readonly pageSize: number;
/** Rows of the result, or those counted before the preview stopped. */
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
/** Bytes that the engine has scanned, where it bills by them. */
readonly scannedBytes?: number;
/** Bytes that the engine bills for; null where it bills by them and has not told how many. */
readonly billedBytes?: number | null;
/** Requests that the data source made the service send again. */
readonly retries?: Retries;
})[];
};

export type QueryStep = {
readonly id: number;
/** Names the step through all versions of the query, wherever it moves. */
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
/** Names the step through all versions of the query, wherever it moves. */
readonly key?: string;
/** A second name for its result in the final query, beside step1, step2, … */
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
/** The version that was restored. */
readonly restoredFromNumber: number | null;
/** What differs from the definition before it; nothing in the first version. */
readonly changedParts: readonly ("Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly createdByUserName: string | null;
readonly createdTime: string;
/** Who approved or rejected it. */
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
readonly decisionComment: string | null;
readonly projectId: number;
readonly name: string;
readonly description: string | null;
readonly steps: readonly ({
/** Names the step through all versions of the query, wherever it moves. */
readonly key: string;
readonly order: number;
readonly name: string | null;
readonly description: string | null;
readonly dataSourceId: number;
readonly sql: string;
/** Whether the query's project holds the data source now: else the step cannot run. */
readonly isSourceLinked: boolean;
/** Null where it is not linked. */
readonly dataSourceName: string | null;
/** Null where the data source is not linked. */
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
/** The version that was restored. */
readonly restoredFromNumber: number | null;
/** What differs from the definition before it; nothing in the first version. */
readonly changedParts: readonly ("Name" | "Description" | "Step" | "FinalQuery" | "Parameter")[];
readonly createdByUserName: string | null;
readonly createdTime: string;
/** Who approved or rejected it. */
readonly decidedByUserName: string | null;
readonly decidedAt: string | null;
readonly decisionComment: string | null;
};

export type QuietHours = {
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone: string;
readonly windows: readonly ({
/** Days on which it begins. */
readonly days: readonly ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[];
/** Local time, `22:00`. */
readonly from: string;
/** Local time; not after `from`: of the next day. */
readonly to: string;
})[];
/** A critical anomaly, or a Critical rule that fails, is told at once. */
readonly criticalPasses: boolean;
};

export type QuietHoursInput = {
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone: string;
readonly windows: readonly ({
/** Days on which it begins. */
readonly days: readonly ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[];
/** Local time, `22:00`. */
readonly from: string;
/** Local time; not after `from`: of the next day. */
readonly to: string;
})[];
/** A critical anomaly, or a Critical rule that fails, is told at once. */
readonly criticalPasses: boolean;
};

export type RecentDeliveries = {
/** Recipients without such an attempt are left out. */
readonly items: readonly ({
readonly recipientId: number;
/** The last 30 attempts of runs that the caller sees, oldest first. */
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
/** Subscriptions without such a run are left out. */
readonly items: readonly ({
readonly subscriptionId: number;
/** The last 30 that the caller sees, oldest first. */
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
/** Masked; null for callers who are neither Admin nor SecurityAdmin. */
readonly destination: string | null;
/** Names with masked values; null as above. */
readonly customHeaders: { readonly [name: string]: string } | null;
readonly bodyTemplate: string | null;
readonly state: "Approved" | "AwaitingApproval" | "Rejected";
/** The stored destination cannot be read any more: enter it again. */
readonly needsDestination: boolean;
/** False for secrets kept from before encryption: save the recipient again, or run `svc secrets rotate`. */
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
/** Required for a new recipient. On a change: absent or as shown masked keeps the stored one. */
readonly destination?: string | null;
readonly description?: string | null;
/** Webhook only. A masked value keeps the stored one; {} or null removes all. */
readonly customHeaders?: { readonly [name: string]: unknown } | null;
readonly bodyTemplate?: string | null;
};

export type RecipientSettings = {
readonly signing: "Off" | "On" | "Rotating" | "Unreadable";
readonly retryPolicy: RetryPolicy;
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
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
/** False when it cannot be decrypted any more. */
readonly isReadable: boolean;
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook" | null;
/** The destination, with everything masked that is a secret. */
readonly parts: readonly ({
readonly label: string;
readonly value: string;
})[];
/** Names of the custom headers, each with a fingerprint of its value. */
readonly headers: readonly ({
readonly name: string;
readonly fingerprint: string;
})[];
/** Of type, destination and headers together. */
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
/** Why. */
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
/** 1 for declared keys and what people added; less for proposals. */
readonly confidence: number;
/** Declared by the database, or verified by a person. */
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
/** Why, in a sentence. */
readonly evidence: string;
};

export type RememberedRows = {
/** Rows that are known, by their keys. */
readonly rowCount: number;
/** Keys that several rows share: these rows are known as one. */
readonly duplicateKeyCount: number;
readonly updatedAt: string;
};

export type ReplaceGoldenExampleBody = {
readonly dataSourceId: number;
readonly question: string;
/** NoAnswer: the data cannot answer the question, and any statement would be wrong. */
readonly expected?: "Rows" | "NoAnswer";
/** The statement whose rows are the right answer; null where `expected` is NoAnswer. */
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
/** For how long the old key works on; never beyond its own end. Default: a day. */
readonly overlapMinutes?: number;
/** A date (its first instant in UTC) or a point in time. Absent, null or empty: the default lifetime. */
readonly expiresAt?: string | null;
};

export type Repository = {
readonly id: number;
readonly projectId: number;
/** Last part of the address. */
readonly name: string;
readonly url: string;
readonly branch: string;
readonly hasToken: boolean;
readonly scanStatus: "NotScanned" | "Waiting" | "Scanning" | "Completed" | "Failed";
readonly scanFailure: "NotReached" | "NotAllowed" | "TokenRefused" | "NotFound" | "Redirected" | "NoGitServer" | "BranchNotFound" | "TooLarge" | "TooLong" | "Unreadable" | null;
readonly scannedAt: string | null;
/** The commit that was read last. */
readonly commitId: string | null;
/** Files that were read. */
readonly fileCount: number | null;
readonly referenceCount: number;
/** It holds more than is read: 20,000 files of at most 1 MB each. */
readonly isCut: boolean;
readonly createdTime: string;
readonly updatedAt: string;
readonly version: number;
};

export type ResendDeliveryAnswer = {
readonly orderedCount: number;
/** There are more than one order covers (1,000): order again. */
readonly isCut: boolean;
};

export type ResendFailedDeliveriesAnswer = {
readonly orderedCount: number;
/** There are more than one order covers (1,000): order again. */
readonly isCut: boolean;
};

export type ResendFailedDeliveriesBody = {
/** Also those of which nobody knows whether they arrived; the recipient may get them twice. Default false. */
readonly includesUnknown?: boolean;
};

export type ResendFailedInput = {
readonly from: string;
readonly to: string;
readonly subscriptionId?: number;
readonly recipientId?: number;
/** Also those of which nobody knows whether they arrived; the recipient may get them twice. Default false. */
readonly includesUnknown?: boolean;
};

export type ResendFailedOfWindowAnswer = {
readonly orderedCount: number;
/** There are more than one order covers (1,000): order again. */
readonly isCut: boolean;
};

export type ResolveTaskBody = {
/** How it was resolved, in words of one’s own. */
readonly resolutionNotes?: string | null;
};

export type RestoreQueryVersionBody = {
/** Why, as the version tells it. */
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
/** Rows with the same value here count as the same row. */
readonly isKey: boolean;
})[];
readonly unchangedCount: number;
readonly addedCount: number;
readonly removedCount: number;
readonly changedCount: number;
/** The first 20, in the order of `columns`. */
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
/** Runs and audit events go by whole months. */
readonly keepDays: number;
/** Key of the setting that says so. */
readonly setting: string;
readonly oldestAt: string | null;
readonly removedAt: string | null;
})[];
};

export type Retries = {
readonly count: number;
/** Waiting before them, all together. */
readonly waitedMs: number;
};

export type RetryMigrationExecutionAnswer = {
readonly executionId: number;
readonly jobId: string | null;
};

export type RetryPolicy = {
/** Further attempts after a failed one; 0, the default, makes none. */
readonly retriesMax: number;
/** Wait before the first of them; each one doubles it. An answer 429 or 503 whose `Retry-After` asks for more is left alone for so long, a day at most; after 410 none is made. */
readonly delaySeconds: number;
};

export type RetryPolicyInput = {
/** Further attempts after a failed one; 0, the default, makes none. */
readonly retriesMax: number;
/** Wait before the first of them; each one doubles it. An answer 429 or 503 whose `Retry-After` asks for more is left alone for so long, a day at most; after 410 none is made. */
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
/** Columns of the result that a row is recognised by. */
readonly keyColumns: readonly string[];
/** A row has changed when one of these has; null: every column of the result. */
readonly watchedColumns: readonly string[] | null;
/** What is told. */
readonly changes: readonly ("New" | "Changed" | "Vanished")[];
/** `Digest`: one message a run. `PerRow`: one a row for the first 20, and one for the others. */
readonly delivery: "Digest" | "PerRow";
/** Keeps the key columns of up to 100,000 rows, masked and encrypted, so that a vanished row can be named. */
readonly keepsKeys: boolean;
};

export type RowRoute = {
/** As it stands in the column, unmasked and as text: numbers without zeros at their end, dates as YYYY-MM-DD. Case counts. */
readonly value: string;
readonly recipientId: number;
};

export type RowRouteInput = {
/** As it stands in the column, unmasked and as text: numbers without zeros at their end, dates as YYYY-MM-DD. Case counts. */
readonly value: string;
readonly recipientId: number;
};

export type RowRouting = {
readonly column: string;
readonly routeCount: number;
/** The attached recipient that gets rows that no route names; null: nobody gets them. */
readonly fallbackRecipientId: number | null;
};

export type RuleResult = {
readonly ruleId: number;
readonly name: string;
readonly type: "Freshness" | "Volume" | "NullRate" | "Range" | "Pattern" | "AcceptedValues" | "Referential" | "Uniqueness" | "Schema" | "CustomSql";
readonly severity: "Critical" | "High" | "Medium" | "Low";
readonly outcome: "Passed" | "Warned" | "Failed" | "Error";
/** Null: nothing could be judged. */
readonly score: number | null;
readonly failing: number | null;
readonly total: number | null;
readonly message: string | null;
/** At most 20 rows that broke the rule, personal data masked. */
readonly sample: {
readonly columns: readonly string[];
readonly rows: readonly (readonly (string | number | boolean | null)[])[];
} | null;
/** Why a rule that failed or warned has no sample; null for others. */
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
/** The same for every attempt at this message. */
readonly messageId: string;
readonly bytesSent: number | null;
};
/** What is known of the answer. What the other side wrote is not kept. */
readonly response: {
/** Admin and SecurityAdmin only. */
readonly httpClass?: string | null;
/** One of a closed list; never the words of the other side. */
readonly reason: string | null;
/** The other side's id of what was made. */
readonly remoteId: string | null;
/** How long the other side asked to wait. */
readonly retryAfterSeconds: number | null;
};
};

export type RunMcpToolBody = {
readonly toolName: string;
readonly projectId: number;
/** Without project_id. */
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
/** Null when the data source is gone. */
readonly dataSourceName: string | null;
readonly outcome: "Succeeded" | "Failed" | "NotRun";
readonly rowCount: number;
readonly from: string;
/** A wait for a turn at the data source included. */
readonly durationMs: number;
/** Bytes that the engine has scanned, where it bills by them. */
readonly scannedBytes?: number;
/** Bytes that the engine bills for; null where it bills by them and has not told how many. */
readonly billedBytes?: number | null;
/** Requests that the data source made the service send again. */
readonly retries?: Retries;
};

export type RunTimeline = {
/** The request to the API that started the run; null for one of the schedule. */
readonly request: {
readonly method: string;
readonly route: string;
readonly userName: string | null;
readonly at: string;
} | null;
readonly traceId: string | null;
/** The job that executed it. Ended jobs are not kept for long. */
readonly jobId: string | null;
readonly dueAt: string;
readonly startedAt: string | null;
readonly finishedAt: string | null;
/** From its due time to its start. */
readonly waitedMs: number | null;
/** In the order in which they ran. */
readonly statements: readonly RunStatement[];
/** The whole query, masking included; null when it gave no result. */
readonly queryMs: number | null;
/** Of that: the masking of the result. */
readonly maskingMs: number | null;
/** Oldest first. */
readonly attempts: readonly RunAttempt[];
/** What the run did to tasks of a project that the caller reads. */
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
/** Of all its calls. It stops before a call that could take more than is left. */
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
/** The schedule in words, computed by the parser that fires it. */
readonly description: string;
/** The next times that it fires; at most five. */
readonly nextTimes: readonly string[];
};

export type ScheduleLoad = {
readonly from: string;
readonly to: string;
/** The hours to come, the present one first. */
readonly hours: readonly ({
readonly from: string;
/** Runs and evaluations that come due in it. */
readonly runs: number;
/** Moments at which two or more come due at one data source. */
readonly clashes: number;
})[];
/** The 20 largest; of equal ones the earliest. */
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
/** There are more due times than are looked at: the counts are too low. */
readonly isCut: boolean;
};

export type SchemaChange = {
readonly id: number;
readonly foundAt: string;
readonly kind: "TableAdded" | "TableRemoved" | "ColumnAdded" | "ColumnRemoved" | "ColumnRetyped";
/** Empty for engines without schemas. */
readonly schema: string;
readonly table: string;
/** Null for a whole table. */
readonly column: string | null;
/** The engine’s word, where a column was there before. */
readonly typeBefore: string | null;
/** The engine’s word, where a column is there now. */
readonly typeAfter: string | null;
};

export type SchemaHealth = {
readonly dataSourceId: number;
readonly refreshedAt: string | null;
readonly tableCount: number;
readonly relationshipCount: number;
readonly verifiedCount: number;
/** Groups of tables that hang together; a table by itself is one. */
readonly componentCount: number;
readonly largestComponentSize: number;
/** Tables that no relationship touches. */
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
/** Tables without a primary key; views are left out. */
readonly withoutPrimaryKey: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
/** Declared keys that no index of their table begins with. */
readonly unindexedForeignKeys: {
readonly count: number;
/** The first 100. */
readonly items: readonly string[];
};
/** Queries that the caller can read and the engine can no longer plan; the first 100. */
readonly brokenQueries: {
readonly count: number;
readonly items: readonly ({
readonly id: number;
readonly name: string;
readonly message: string;
})[];
};
/** Relationships whose ends are of different kinds of types. */
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
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
readonly numbers: "Text" | "Number";
};

export type SetProjectAccessModeBody = {
readonly accessMode: "Open" | "Restricted";
};

export type SetQueryFolderBody = {
readonly folderId: number | null;
};

export type SetQueryMcpToolBody = {
/** False: it is taken back. Name, description and version are kept as they are for another time. */
readonly isEnabled: boolean;
/** No two published queries have one name. Left out: as it was. */
readonly name?: string;
/** What clients are told of it; null: the description of the version. */
readonly description?: string | null;
/** One that is active, or was. Left out: the one that is published stays; else what the query says now. */
readonly versionId?: number;
};

export type SetRepositoryTokenBody = {
readonly token: string | null;
};

export type SetSubscriptionOwnerBody = {
readonly userId: number;
};

export type SetSubscriptionSlaBody = {
/** Hours within which its tasks are to be resolved. */
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
/** Unique, whatever the case; no space at either end. */
readonly userName: string;
readonly displayName?: string | null;
readonly email?: string | null;
readonly password: string;
readonly confirmPassword: string;
};

export type SignInOptions = {
/** Single sign-on is offered. */
readonly enabled: boolean;
/** Label of its button. */
readonly displayName: string | null;
/** The password form is shown. */
readonly localLoginEnabled: boolean;
/** Passwords work for break-glass accounts only; the form is not shown by itself. */
readonly breakGlassEnabled: boolean;
readonly externalLogin: {
readonly loginUrl: string;
} | null;
};

export type Snooze = {
/** Until when nobody is told; null ends the snooze. */
readonly until: string | null;
readonly reason?: string | null;
};

export type SnoozeTaskBody = {
/** Within 90 days from now; null wakes it. */
readonly snoozeUntil: string | null;
};

export type StartEvalRunBody = {
readonly projectId?: number;
readonly goldenIds?: readonly number[];
readonly repeats?: number;
/** Of all its calls. It stops before a call that could take more than is left. */
readonly maxTokens?: number;
};

export type StepPlan = {
readonly stepOrder: number;
readonly dataSourceName: string;
readonly engine: string;
readonly outcome: "Explained" | "Refused" | "NotOffered";
/** Why there is no plan. */
readonly message: string | null;
readonly position: {
readonly line: number;
readonly column: number;
} | null;
readonly estimatedRows: number | null;
readonly estimatedCost: number | null;
readonly nodes: readonly ({
/** 0: the outermost. Each node follows the one it belongs to. */
readonly depth: number;
/** What is done and on which table, in the engine's own words. */
readonly label: string;
readonly estimatedRows: number | null;
/** In the engine's own unit, with what the nodes below it cost. */
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
/** Names the step through all versions of the query, wherever it moves. */
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
/** Why the service itself archived it. */
readonly stoppedBecause: string | null;
readonly ownerUserId: number | null;
readonly ownerName: string | null;
readonly schedule: Schedule;
readonly notificationTrigger: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange";
readonly minimumRowCount: number | null;
readonly maxRows: number | null;
readonly timeoutSeconds: number | null;
/** A due time that passes while the previous run is under way: `Skip` (the default) records it among the missed runs, `Queue` runs it afterwards. Runs by hand and runs that quiet hours hold do not count. */
readonly overlap: "Skip" | "Queue";
readonly showQuery: boolean;
readonly storeResults: boolean;
readonly includeAttachment: boolean;
readonly attachmentFormat: "Csv" | "Xlsx" | null;
/** Runs that find rows open a task, and resolve it when they are gone. */
readonly createTasks: boolean;
/** Hours within which its tasks are to be resolved. */
readonly slaHours: number | null;
/** Values of the query's parameters, by name; those left out take their defaults. */
readonly parameters: { readonly [name: string]: string | number | boolean | null };
/** How the row counts are watched for what is unusual; null: they are not. */
readonly anomaly: AnomalyWatch | null;
/** When `WhileRows` tells; null with every other trigger. */
readonly alert: AlertRule | null;
/** What `OnRowChange` remembers rows by and tells of them; null with every other trigger. */
readonly rowMemory: RowMemory | null;
/** When scheduled runs tell nobody: what they have to tell is told at the end. Null: never. */
readonly quietHours: QuietHours | null;
/** How each recipient gets rows of its own; null: every recipient gets all rows. */
readonly routing: RowRouting | null;
readonly recipients: readonly AttachedRecipient[];
readonly lastRun: {
readonly id: number;
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
/** Why a `Silenced` run sent nothing. */
readonly silencedBy: "StillFiring" | "AlertPending" | "Snoozed" | "QuietHours" | "Baseline" | "NothingChanged" | "NothingRouted" | null;
readonly createdTime: string;
} | null;
/** With the trigger `WhileRows`, once a run has said something. */
readonly alertState: Alert | null;
/** With the trigger `OnRowChange`, once a run has found rows to remember. */
readonly rememberedRows: RememberedRows | null;
readonly lastMissed: {
readonly id: number;
readonly firstDueAt: string;
readonly lastDueAt: string;
readonly missedCount: number;
readonly noticedAt: string;
/** `NotStarted`: it did not start in time. `PreviousRunning`: it was skipped, because the previous run was still running. */
readonly reason: "NotStarted" | "PreviousRunning";
} | null;
/** Since when its schedule stands still. Null: it fires, or the subscription is archived. */
readonly pausedSince: string | null;
/** Until when scheduled runs tell nobody. */
readonly snoozedUntil: string | null;
readonly snoozeReason: string | null;
readonly isDemo: boolean;
readonly createdTime: string;
readonly version: number;
};

export type SubscriptionBulkResult = {
/** In the order in which the subscriptions were named. */
readonly results: readonly ({
readonly id: number;
readonly isDone: boolean;
/** Why it was refused: a code of a problem. */
readonly code: string | null;
readonly detail: string | null;
})[];
};

export type SubscriptionChange = {
readonly notificationTrigger?: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange";
readonly minimumRowCount?: number | null;
readonly maxRows?: number | null;
readonly timeoutSeconds?: number | null;
/** A due time that passes while the previous run is under way: `Skip` (the default) records it among the missed runs, `Queue` runs it afterwards. Runs by hand and runs that quiet hours hold do not count. */
readonly overlap?: "Skip" | "Queue";
readonly showQuery?: boolean;
readonly storeResults?: boolean;
readonly includeAttachment?: boolean;
readonly attachmentFormat?: "Csv" | "Xlsx" | null;
/** Runs that find rows open a task, and resolve it when they are gone. */
readonly createTasks?: boolean;
/** Hours within which its tasks are to be resolved. */
readonly slaHours?: number | null;
/** Values of the query's parameters, by name; those left out take their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
/** Watches the row counts; what is left out of it takes its default. Null: they are not watched. */
readonly anomaly?: {
/** `Robust` learns level, trend, hours, weekdays and days of the month, and how much the counts scatter; `Percentage` allows a share of their middle. */
readonly method?: "Robust" | "Percentage";
/** Of the middle of the counts, for `Percentage`. */
readonly percent?: number;
/** For `Robust`: 5, 4 or 3 deviations from what is expected are let pass. */
readonly sensitivity?: "Low" | "Medium" | "High";
/** Days of history that count. */
readonly lookbackDays?: number;
/** Fewer runs say nothing yet. */
readonly minimumDataPoints?: number;
/** Which way is told. */
readonly directions?: "Both" | "Up" | "Down";
/** Nothing is told where the count and what was expected are both below. */
readonly floor?: number;
/** ISO 3166-1 code of the country whose public holidays are not compared with ordinary days. */
readonly holidayCountry?: "AD" | "AE" | "AG" | "AI" | "AL" | "AM" | "AO" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GT" | "GU" | "GW" | "GY" | "HK" | "HN" | "HR" | "HT" | "HU" | "IC" | "ID" | "IE" | "IL" | "IM" | "IN" | "IR" | "IS" | "IT" | "JE" | "JM" | "JP" | "KE" | "KM" | "KN" | "KR" | "KY" | "KZ" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MK" | "ML" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NZ" | "PA" | "PE" | "PF" | "PH" | "PK" | "PL" | "PM" | "PR" | "PT" | "PY" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SZ" | "TC" | "TD" | "TG" | "TH" | "TN" | "TO" | "TR" | "TT" | "TW" | "TZ" | "UA" | "UG" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "XK" | "YT" | "ZA" | "ZM" | "ZW" | null;
/** Further holidays, as dates of the time zone of the schedule, e.g. `2026-12-24`. */
readonly holidayDates?: readonly string[];
} | null;
/** For the trigger `WhileRows` alone; what is left out of it takes its default. */
readonly alert?: {
/** Runs in a row with rows until it is told. */
readonly pendingRuns?: number;
/** Runs in a row without rows until it is over. */
readonly recoverRuns?: number;
/** Told again while the rows stay, this long after it was last told; null: never. */
readonly remindMinutes?: number | null;
/** That the rows are gone is told too. */
readonly tellsRecovery?: boolean;
} | null;
/** For the trigger `OnRowChange`, which needs it, alone; what is left out of it takes its default. */
readonly rowMemory?: {
/** Columns of the result that a row is recognised by. */
readonly keyColumns: readonly string[];
/** A row has changed when one of these has; null: every column of the result. */
readonly watchedColumns?: readonly string[] | null;
/** What is told. */
readonly changes?: readonly ("New" | "Changed" | "Vanished")[];
/** `Digest`: one message a run. `PerRow`: one a row for the first 20, and one for the others. */
readonly delivery?: "Digest" | "PerRow";
/** Keeps the key columns of up to 100,000 rows, masked and encrypted, so that a vanished row can be named. */
readonly keepsKeys?: boolean;
} | null;
/** When scheduled runs tell nobody: what they have to tell is told at the end. Null: never. */
readonly quietHours?: QuietHoursInput | null;
/** Gives each recipient the rows that have its values, in place of what was there. Null: all rows go to all. */
readonly routing?: {
readonly column: string;
/** Who gets the rows with which value; every recipient is attached to the subscription. */
readonly routes: readonly RowRouteInput[];
/** The attached recipient that gets rows that no route names; null: nobody gets them. */
readonly fallbackRecipientId?: number | null;
} | null;
};

export type SubscriptionInput = {
readonly queryId: number;
/** Five fields (minute hour day month weekday), or six with seconds first. */
readonly cronExpression: string;
/** IANA name, e.g. Europe/Zagreb. */
readonly timeZone?: string;
/** Recipients that are told; at least one unless `createTasks`. */
readonly recipientIds: readonly number[];
readonly notificationTrigger?: "OnResultCountChange" | "Always" | "OnResultCountIncrease" | "OnAnomaly" | "WhileRows" | "OnRowChange";
readonly minimumRowCount?: number | null;
readonly maxRows?: number | null;
readonly timeoutSeconds?: number | null;
/** A due time that passes while the previous run is under way: `Skip` (the default) records it among the missed runs, `Queue` runs it afterwards. Runs by hand and runs that quiet hours hold do not count. */
readonly overlap?: "Skip" | "Queue";
readonly showQuery?: boolean;
readonly storeResults?: boolean;
readonly includeAttachment?: boolean;
readonly attachmentFormat?: "Csv" | "Xlsx" | null;
/** Runs that find rows open a task, and resolve it when they are gone. */
readonly createTasks?: boolean;
/** Hours within which its tasks are to be resolved. */
readonly slaHours?: number | null;
/** Values of the query's parameters, by name; those left out take their defaults. */
readonly parameters?: { readonly [name: string]: string | number | boolean | null };
/** Watches the row counts; what is left out of it takes its default. Null: they are not watched. */
readonly anomaly?: {
/** `Robust` learns level, trend, hours, weekdays and days of the month, and how much the counts scatter; `Percentage` allows a share of their middle. */
readonly method?: "Robust" | "Percentage";
/** Of the middle of the counts, for `Percentage`. */
readonly percent?: number;
/** For `Robust`: 5, 4 or 3 deviations from what is expected are let pass. */
readonly sensitivity?: "Low" | "Medium" | "High";
/** Days of history that count. */
readonly lookbackDays?: number;
/** Fewer runs say nothing yet. */
readonly minimumDataPoints?: number;
/** Which way is told. */
readonly directions?: "Both" | "Up" | "Down";
/** Nothing is told where the count and what was expected are both below. */
readonly floor?: number;
/** ISO 3166-1 code of the country whose public holidays are not compared with ordinary days. */
readonly holidayCountry?: "AD" | "AE" | "AG" | "AI" | "AL" | "AM" | "AO" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GT" | "GU" | "GW" | "GY" | "HK" | "HN" | "HR" | "HT" | "HU" | "IC" | "ID" | "IE" | "IL" | "IM" | "IN" | "IR" | "IS" | "IT" | "JE" | "JM" | "JP" | "KE" | "KM" | "KN" | "KR" | "KY" | "KZ" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MK" | "ML" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NZ" | "PA" | "PE" | "PF" | "PH" | "PK" | "PL" | "PM" | "PR" | "PT" | "PY" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SZ" | "TC" | "TD" | "TG" | "TH" | "TN" | "TO" | "TR" | "TT" | "TW" | "TZ" | "UA" | "UG" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "XK" | "YT" | "ZA" | "ZM" | "ZW" | null;
/** Further holidays, as dates of the time zone of the schedule, e.g. `2026-12-24`. */
readonly holidayDates?: readonly string[];
} | null;
/** For the trigger `WhileRows` alone; what is left out of it takes its default. */
readonly alert?: {
/** Runs in a row with rows until it is told. */
readonly pendingRuns?: number;
/** Runs in a row without rows until it is over. */
readonly recoverRuns?: number;
/** Told again while the rows stay, this long after it was last told; null: never. */
readonly remindMinutes?: number | null;
/** That the rows are gone is told too. */
readonly tellsRecovery?: boolean;
} | null;
/** For the trigger `OnRowChange`, which needs it, alone; what is left out of it takes its default. */
readonly rowMemory?: {
/** Columns of the result that a row is recognised by. */
readonly keyColumns: readonly string[];
/** A row has changed when one of these has; null: every column of the result. */
readonly watchedColumns?: readonly string[] | null;
/** What is told. */
readonly changes?: readonly ("New" | "Changed" | "Vanished")[];
/** `Digest`: one message a run. `PerRow`: one a row for the first 20, and one for the others. */
readonly delivery?: "Digest" | "PerRow";
/** Keeps the key columns of up to 100,000 rows, masked and encrypted, so that a vanished row can be named. */
readonly keepsKeys?: boolean;
} | null;
/** When scheduled runs tell nobody: what they have to tell is told at the end. Null: never. */
readonly quietHours?: QuietHoursInput | null;
/** Gives each recipient the rows that have its values, in place of what was there. Null: all rows go to all. */
readonly routing?: {
readonly column: string;
/** Who gets the rows with which value; every recipient is attached to the subscription. */
readonly routes: readonly RowRouteInput[];
/** The attached recipient that gets rows that no route names; null: nobody gets them. */
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
/** The query that found the rows, or the data contract that failed. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly state: "Open" | "Resolved";
readonly priority: "Critical" | "High" | "Normal" | "Low";
readonly assigneeUserId: number | null;
readonly assigneeName: string | null;
/** Rows of the last run that said something; of a contract: rules that did not pass. */
readonly latestResultCount: number;
readonly latestAt: string;
readonly createdTime: string;
/** When it is to be resolved; null without an SLA. */
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
/** In the order in which the tasks were named. */
readonly results: readonly ({
readonly id: number;
readonly isDone: boolean;
/** Why it was refused: a code of a problem. */
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
/** The query that found the rows, or the data contract that failed. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly state: "Open" | "Resolved";
readonly priority: "Critical" | "High" | "Normal" | "Low";
readonly assigneeUserId: number | null;
readonly assigneeName: string | null;
/** Rows of the last run that said something; of a contract: rules that did not pass. */
readonly latestResultCount: number;
readonly latestAt: string;
readonly createdTime: string;
/** When it is to be resolved; null without an SLA. */
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
/** The caller may resolve, assign and so on. */
readonly canAct: boolean;
};

export type TaskEvent = {
readonly id: number;
readonly kind: "Opened" | "CountChanged" | "Assigned" | "Unassigned" | "PriorityChanged" | "Snoozed" | "Woke" | "Overdue" | "Resolved" | "Reopened" | "Commented" | "Acknowledged" | "AcknowledgementWithdrawn";
readonly createdTime: string;
/** Null: the service by itself. */
readonly userName: string | null;
/** What somebody wrote. */
readonly content: string | null;
/** What happened, in words. */
readonly comment: string | null;
/** The run that it comes from, where the caller sees it. */
readonly notificationId: number | null;
};

export type TaskExecution = {
/** Of the run, or of the evaluation. */
readonly id: number;
/** Null: it is a run. */
readonly evaluationId: number | null;
readonly executedAt: string;
readonly durationMs: number | null;
/** Of an evaluation: rules that did not pass. */
readonly rowCount: number | null;
readonly status: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped" | "Queued" | "Running" | "Passed" | "Warned" | "Error";
};

export type TaskResultHistory = {
readonly taskId: number;
/** The last 100, oldest first. */
readonly points: readonly ({
/** Null: it is an evaluation of a data contract. */
readonly notificationId: number | null;
readonly evaluationId: number | null;
readonly sampledAt: string;
readonly resultCount: number;
})[];
};

export type TaskSummary = {
/** Open and not snoozed. */
readonly open: number;
/** Of these, those that the caller has. */
readonly mine: number;
/** Of these, those that were to be resolved by now. */
readonly overdue: number;
/** Open, and set aside until a time to come. */
readonly snoozed: number;
};

export type TemplatePreview = {
readonly notificationType: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
readonly contentType: string;
/** Email only. */
readonly subject: string | null;
/** Email only: the plain-text part. */
readonly text: string | null;
/** Exactly what would be sent. Null where a body template shapes it and the caller may not see templates. */
readonly body: string | null;
readonly bytes: number | null;
/** False when a body template shaped it. */
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
/** Of a subscription: its query. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly health: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
/** The gravest first; none when it is healthy. */
readonly reasons: readonly ("DueRunNotStarted" | "LastRunFailed" | "ContractFailed" | "LowSuccessRate" | "ReducedSuccessRate" | "RunsMissed" | "ContractError" | "ContractWarned" | "AnomalyOpen" | "TaskOverdue" | "NoRuns")[];
/** Runs that ended and were not skipped; of a contract, evaluations that judged it. */
readonly judged: number;
/** Of these: sent, silenced, without results, below the minimum; passed, warned. */
readonly good: number;
/** Of these: failed or ran out of time. */
readonly failed: number;
/** Good of judged runs; null when none was judged. */
readonly successRate: number | null;
readonly lastGoodAt: string | null;
readonly lastFailedAt: string | null;
/** The next due time that must start; of a stalled subject, the last one that passed without a start. */
readonly watchDueAt: string | null;
readonly openTaskId: number | null;
/** Days in UTC on which it was judged, oldest first. */
readonly days: readonly ({
readonly day: string;
/** Runs that ended and were not skipped; of a contract, evaluations that judged it. */
readonly judged: number;
/** Of these: sent, silenced, without results, below the minimum; passed, warned. */
readonly good: number;
/** Of these: failed or ran out of time. */
readonly failed: number;
/** Good of judged runs; null when none was judged. */
readonly successRate: number | null;
})[];
/** The last 20, newest first. */
readonly evaluations: readonly ContractEvaluation[];
/** The last 20 that told of it and that the caller may see, newest first. */
readonly runs: readonly Notification[];
};

export type TowerDetail = {
readonly kind: "Subscription" | "Contract";
readonly id: number;
/** Of a subscription: its query. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly health: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
/** The gravest first; none when it is healthy. */
readonly reasons: readonly ("DueRunNotStarted" | "LastRunFailed" | "ContractFailed" | "LowSuccessRate" | "ReducedSuccessRate" | "RunsMissed" | "ContractError" | "ContractWarned" | "AnomalyOpen" | "TaskOverdue" | "NoRuns")[];
/** Runs that ended and were not skipped; of a contract, evaluations that judged it. */
readonly judged: number;
/** Of these: sent, silenced, without results, below the minimum; passed, warned. */
readonly good: number;
/** Of these: failed or ran out of time. */
readonly failed: number;
/** Good of judged runs; null when none was judged. */
readonly successRate: number | null;
readonly lastGoodAt: string | null;
readonly lastFailedAt: string | null;
/** The next due time that must start; of a stalled subject, the last one that passed without a start. */
readonly watchDueAt: string | null;
readonly openTaskId: number | null;
/** Days in UTC on which a run was judged, oldest first. */
readonly days: readonly ({
readonly day: string;
/** Runs that ended and were not skipped; of a contract, evaluations that judged it. */
readonly judged: number;
/** Of these: sent, silenced, without results, below the minimum; passed, warned. */
readonly good: number;
/** Of these: failed or ran out of time. */
readonly failed: number;
/** Good of judged runs; null when none was judged. */
readonly successRate: number | null;
})[];
/** The last 20 that the caller may see, newest first. */
readonly runs: readonly Notification[];
};

export type TowerHealthEntry = {
readonly kind: "Subscription" | "Contract";
readonly id: number;
/** Of a subscription: its query. */
readonly name: string;
readonly projectId: number;
readonly projectName: string;
readonly health: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
/** The gravest first; none when it is healthy. */
readonly reasons: readonly ("DueRunNotStarted" | "LastRunFailed" | "ContractFailed" | "LowSuccessRate" | "ReducedSuccessRate" | "RunsMissed" | "ContractError" | "ContractWarned" | "AnomalyOpen" | "TaskOverdue" | "NoRuns")[];
/** Runs that ended and were not skipped; of a contract, evaluations that judged it. */
readonly judged: number;
/** Of these: sent, silenced, without results, below the minimum; passed, warned. */
readonly good: number;
/** Of these: failed or ran out of time. */
readonly failed: number;
/** Good of judged runs; null when none was judged. */
readonly successRate: number | null;
readonly lastGoodAt: string | null;
readonly lastFailedAt: string | null;
/** The next due time that must start; of a stalled subject, the last one that passed without a start. */
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
/** Open and not snoozed. */
readonly openTasks: number;
readonly overdueTasks: number;
/** Runs that ended and were not skipped; of a contract, evaluations that judged it. */
readonly judged: number;
/** Of these: sent, silenced, without results, below the minimum; passed, warned. */
readonly good: number;
/** Of these: failed or ran out of time. */
readonly failed: number;
/** Good of judged runs; null when none was judged. */
readonly successRate: number | null;
/** A process that runs jobs reported lately. Without one nothing that is due starts. */
readonly hasLiveWorker: boolean;
/** When a process that runs jobs last reported. */
readonly lastHeartbeatAt: string | null;
/** A process with the role Scheduler reported lately. Without one no schedule comes due. */
readonly hasLiveScheduler: boolean;
/** Queues that no live process takes jobs of: what is in them waits. */
readonly unservedQueues: readonly string[];
/** Queues that were paused: what is in them waits until they are resumed on the job dashboard. */
readonly pausedQueues: readonly string[];
};

export type UpdateDataSourceBody = {
readonly name?: string;
readonly description?: string | null;
readonly connection?: { readonly [name: string]: unknown };
readonly metadataOptions?: {
/** Whether metadata is read at all. */
readonly isEnabled?: boolean;
readonly maxTables?: number | null;
readonly maxColumnsPerTable?: number | null;
readonly tableNamesOnly?: boolean;
readonly includeSchemas?: readonly string[];
readonly excludeSchemas?: readonly string[];
/** When metadata is read again by itself; null: never. Default 24. */
readonly refreshEveryHours?: number | null;
};
};

export type UpdateMcpProjectSettingsBody = {
/** Whether AI clients may call tools at all. */
readonly isEnabled?: boolean | null;
/** Names of tools that are switched off. */
readonly disabledTools?: readonly string[] | null;
/** Most rows of one result. */
readonly maxRows?: number | null;
/** Longest time of one statement, in seconds. */
readonly statementTimeoutSeconds?: number | null;
/** Most bytes of the rows of one result, in its text and in its structure each. */
readonly maxResultBytes?: number | null;
/** Calls of one caller at once, by process. */
readonly maxConcurrentCalls?: number | null;
/** Calls of one caller a minute, by process. */
readonly maxCallsPerMinute?: number | null;
/** More patterns of column names and values that are masked, beside those of the configuration. */
readonly piiPatterns?: readonly string[] | null;
/** Whether the audit keeps the arguments of calls. */
readonly keepsStatements?: boolean | null;
/** Whether use of the data is learnt from. Nothing of it takes effect before somebody approves it. */
readonly learns?: boolean | null;
/** Published: clients find only queries that a SecurityAdmin published, and run the version that was. All: every saved query, as it is saved now. */
readonly savedQueries?: "Published" | "All" | null;
/** Whether questions in plain language are taken, from people and from AI clients. */
readonly isAskEnabled?: boolean | null;
/** Whether only statements that people have checked answer questions; no language model writes any. */
readonly answersOnlyChecked?: boolean | null;
/** Never: no row goes to a language model. Masked: those of an answer do, masked, when whoever asked wants it explained. */
readonly rowsToModel?: "Never" | "Masked" | null;
/** Statements that a language model writes for one question; that answers whose rows most of them give. */
readonly candidates?: number | null;
};

export type UpdateMcpSettingsBody = {
/** Whether AI clients may call tools at all. */
readonly isEnabled?: boolean;
/** Names of tools that are switched off. */
readonly disabledTools?: readonly string[];
/** Most rows of one result. */
readonly maxRows?: number;
/** Longest time of one statement, in seconds. */
readonly statementTimeoutSeconds?: number;
/** Most bytes of the rows of one result, in its text and in its structure each. */
readonly maxResultBytes?: number;
/** Calls of one caller at once, by process. */
readonly maxConcurrentCalls?: number;
/** Calls of one caller a minute, by process. */
readonly maxCallsPerMinute?: number;
/** More patterns of column names and values that are masked, beside those of the configuration. */
readonly piiPatterns?: readonly string[];
/** Whether the audit keeps the arguments of calls. */
readonly keepsStatements?: boolean;
/** Whether use of the data is learnt from. Nothing of it takes effect before somebody approves it. */
readonly learns?: boolean;
/** Published: clients find only queries that a SecurityAdmin published, and run the version that was. All: every saved query, as it is saved now. */
readonly savedQueries?: "Published" | "All";
/** Whether questions in plain language are taken, from people and from AI clients. */
readonly isAskEnabled?: boolean;
/** Whether only statements that people have checked answer questions; no language model writes any. */
readonly answersOnlyChecked?: boolean;
/** Never: no row goes to a language model. Masked: those of an answer do, masked, when whoever asked wants it explained. */
readonly rowsToModel?: "Never" | "Masked";
/** Statements that a language model writes for one question; that answers whose rows most of them give. */
readonly candidates?: number;
/** What every client is told beside the built-in instructions. */
readonly instruction?: string | null;
/** Descriptions that replace the built-in ones, by tool. */
readonly toolDescriptions?: { readonly [name: string]: string };
};

export type UpdateProjectBody = {
readonly name?: string;
readonly description?: string | null;
};

export type UpdateQueryBody = {
readonly name: string;
readonly description?: string | null;
/** In the order in which they run. */
readonly steps: readonly QueryStepInput[];
/** Runs over the results of the steps (DuckDB). Without it the last step is the result. */
readonly finalQuery?: string | null;
readonly parameters?: readonly QueryParameterInput[];
/** Why, as the version tells it. */
readonly changeReason?: string | null;
};

export type UpdateSavedViewBody = {
readonly name?: string;
/** Search, filters and sorting, as the address of the list has them behind the question mark. */
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
/** All roles, whoever granted them. */
readonly roles: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
/** Those that were granted here, without those of the identity provider. */
readonly grantedRoles: readonly ("Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator")[];
readonly lastSignedInAt: string | null;
readonly createdTime: string;
readonly archivedAt: string | null;
};

export type UserInput = {
/** Unique, whatever the case; no space at either end. */
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
/** False where an identity provider or the host says what the person is called. */
readonly canChangeNames: boolean;
/** Kinds of notices that the person gets no mail about. */
readonly unmailedNoticeKinds: readonly ("RunFailed" | "RunMissed" | "RunOverlapped" | "SubscriptionStopped" | "RecipientGone" | "RowsUnrouted" | "MigrationFailed" | "MigrationMissed" | "QueryBroken" | "ContractError" | "ContractFailed" | "ContractRecovered" | "ActorFailed" | "ActorPaused" | "KeyExpires" | "EvaluationMissed" | "AccuracyDropped" | "AccuracyRecovered" | "EvaluationPaused" | "LlmBudget" | "ClockSetBack" | "TaskOpened" | "TaskAssigned" | "TaskCommented" | "TaskCountChanged" | "TaskWoke" | "TaskOverdue" | "TaskResolved" | "TaskReopened")[];
/** IANA name of the zone that pages show times in. Times over the API are in UTC. */
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

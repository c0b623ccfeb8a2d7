// Written by `npm run docs` from the OpenAPI document.
import type { FileBody } from './request.ts';
import type {
  AcceptRelationshipsAnswer,
  AcceptRelationshipsBody,
  AcknowledgeAlertBody,
  AddDataContractRecipientsBody,
  AddProjectMemberBody,
  AddRepositoryBody,
  AddSubscriptionRecipientsBody,
  AddTaskCommentAnswer,
  AddTaskCommentBody,
  AdminSettings,
  AdminSettingsInput,
  AiActor,
  AiActorChange,
  AiActorInput,
  AiPlan,
  AnomalyChart,
  Answer,
  AnswerExplanation,
  ApiKeyExplanation,
  ApiKeyInput,
  ApiKeyUses,
  ApplyDefinitionsAnswer,
  ApplyDefinitionsBody,
  ApplyDocumentationPatchBody,
  ApproveAiPlanBody,
  ApproveChangeInput,
  ApproveQueryBody,
  AskQuestionBody,
  AssignTaskBody,
  CallMcpAnswer,
  CancelMigrationExecutionAnswer,
  ChangeDefinitionSlugBody,
  ChangeDetail,
  ChangePasswordBody,
  ChangeProjectMemberBody,
  ChangeQueryFolderBody,
  ChangeRelationshipBody,
  ChangeRepositoryBody,
  ChangeSubscriptionsBody,
  ChangeTasksBody,
  CheckContractRulesAnswer,
  CheckContractRulesBody,
  CheckRelationshipAnswer,
  CompareApprovalBody,
  ConnectionTestResult,
  ContractEvaluationDetail,
  Conversation,
  CreateConversationBody,
  CreateDataSourceBody,
  CreateGlossaryTermBody,
  CreateGoldenExampleBody,
  CreateProjectAnswer,
  CreateProjectBody,
  CreateQueryBody,
  CreateQueryFolderBody,
  CreateRelationshipBody,
  CreateSavedViewBody,
  CreateSigningSecretAnswer,
  CurrentUser,
  DataContract,
  DataContractChange,
  DataContractInput,
  DataFile,
  DataQualityOverview,
  DataSource,
  DataSourceMetadata,
  DecideLearnedPatternBody,
  DefinitionObject,
  DefinitionPlan,
  DiscoverRelationshipsAnswer,
  DocumentImport,
  DocumentationPatch,
  DocumentationSection,
  DocumentationVersionDetail,
  DraftBody,
  EvalComparison,
  EvalRun,
  EvalSchedule,
  EvaluateDataContractAnswer,
  ExportDefinitionsAnswer,
  ExportDefinitionsBody,
  ExportQueryBody,
  ExternalUserInput,
  FilePreview,
  FirstSteps,
  GenerateDocumentationAnswer,
  GetAntiforgeryTokenAnswer,
  GetConversationAnswer,
  GetDefinitionSchemasAnswer,
  GetDocumentationAnswer,
  GetHealthAnswer,
  GetHomeActivityAnswer,
  GetInboxAnswer,
  GetLastResultAnswer,
  GetMcpContextAnswer,
  GetProtectedResourceAnswer,
  GetProtectedResourceOfMcpAnswer,
  GetServerCardAnswer,
  GetServerCardOfMcpAnswer,
  GetSetupStatusAnswer,
  GiveFeedbackBody,
  GlossaryImport,
  GlossaryInput,
  GlossaryRecheck,
  GlossaryTerm,
  GoldenExample,
  GoldenRecheck,
  HomeKpis,
  HomeTrends,
  HomeUptime,
  HubNegotiation,
  ImportDataContractsBody,
  ImportGlossaryBody,
  ImportedDocument,
  ImportedDocumentItem,
  InstructDocumentationAnswer,
  InstructDocumentationBody,
  InternalUserInput,
  LearnNowAnswer,
  LearnNowBody,
  LearnedPattern,
  LearningStats,
  LinkProjectDataSourceBody,
  ListAiActorPlansAnswer,
  ListAiActorsAnswer,
  ListAiPlansAnswer,
  ListAiThinksAnswer,
  ListAllApiKeysAnswer,
  ListApiKeysAnswer,
  ListAuditAnswer,
  ListCandidatesAnswer,
  ListChangesAnswer,
  ListCodeReferencesAnswer,
  ListContractEvaluationsAnswer,
  ListConversationsAnswer,
  ListDataContractsAnswer,
  ListDataFilesAnswer,
  ListDataSourceEnginesAnswer,
  ListDataSourcesAnswer,
  ListDocumentationPatchesAnswer,
  ListDocumentationVersionsAnswer,
  ListEvalResultsAnswer,
  ListEvalRunsAnswer,
  ListEvalSchedulesAnswer,
  ListFeedbackAnswer,
  ListFiringAnswer,
  ListGlossaryAnswer,
  ListGoldenExamplesAnswer,
  ListImportedDocumentsAnswer,
  ListLearnedPatternsAnswer,
  ListLlmCallsAnswer,
  ListMcpProjectsAnswer,
  ListMcpSettingsChangesAnswer,
  ListMcpToolsAnswer,
  ListMigrationDataSourcesAnswer,
  ListMigrationExecutionsAnswer,
  ListMigrationJobsAnswer,
  ListMissedRunsAnswer,
  ListNoticesAnswer,
  ListNotificationsAnswer,
  ListOwnRunsAnswer,
  ListPendingApprovalsAnswer,
  ListProjectDataSourcesAnswer,
  ListProjectMembersAnswer,
  ListProjectsAnswer,
  ListQueriesAnswer,
  ListQueryChangesAnswer,
  ListQueryFoldersAnswer,
  ListQueryMcpToolsAnswer,
  ListQueryVersionsAnswer,
  ListRecipientUsesAnswer,
  ListRecipientsAnswer,
  ListRejectedRowsAnswer,
  ListRelatedTasksAnswer,
  ListRelationshipsAnswer,
  ListRepositoriesAnswer,
  ListRolesAnswer,
  ListSavedViewsAnswer,
  ListSchemaChangesAnswer,
  ListSessionsAnswer,
  ListSetupRolesAnswer,
  ListSubscriptionsAnswer,
  ListTaskAssigneesAnswer,
  ListTaskCommentsAnswer,
  ListTaskEventsAnswer,
  ListTaskExecutionsAnswer,
  ListTasksAnswer,
  ListTowerHealthAnswer,
  ListUserSessionsAnswer,
  ListUsersAnswer,
  LlmCallContent,
  LlmOwnUsage,
  LlmStatus,
  LlmTest,
  LlmTestInput,
  LlmUsage,
  LockQueryBody,
  LoginRequest,
  McpProjectSettings,
  McpSettings,
  McpToolResult,
  MessagePreview,
  MigrationExecution,
  MigrationJob,
  MigrationJobInput,
  MigrationPreview,
  MigrationPreviewInput,
  MigrationSummary,
  MigrationTables,
  MigrationValidation,
  MoveQueriesAnswer,
  MoveQueriesBody,
  NewApiKey,
  NotificationDetail,
  OdcsImport,
  PatternReplay,
  Permissions,
  PlanDefinitionsBody,
  Preflight,
  PreviewDataFileBody,
  PreviewMessagesBody,
  PreviewQueryBody,
  PreviewQueryStepBody,
  PreviewQueryVersionBody,
  PreviewScheduleBody,
  PreviewTemplateBody,
  Project,
  ProjectDataSource,
  ProjectMember,
  PromoteCandidateBody,
  Query,
  QueryApproval,
  QueryFolder,
  QueryMcpTool,
  QueryPlans,
  QueryPreview,
  QueryVersion,
  QueryVersionDiff,
  RecentDeliveries,
  RecentRuns,
  RecheckGlossaryBody,
  RecheckGoldenExamplesBody,
  Recipient,
  RecipientInput,
  RecipientSettings,
  RefineAiActorAnswer,
  RefineAiActorBody,
  RejectAiPlanBody,
  RejectChangeInput,
  RejectQueryBody,
  Relationship,
  ReplaceGoldenExampleBody,
  ReplaceSubscriptionBody,
  ReplacementInput,
  Repository,
  ResendDeliveryAnswer,
  ResendFailedDeliveriesAnswer,
  ResendFailedDeliveriesBody,
  ResendFailedInput,
  ResendFailedOfWindowAnswer,
  ResolveTaskBody,
  RestoreQueryVersionBody,
  ResultComparison,
  Retention,
  RetryMigrationExecutionAnswer,
  RetryPolicyInput,
  ReviseAiPlanAnswer,
  ReviseAiPlanBody,
  RunMcpToolBody,
  RunMigrationJobAnswer,
  RunMigrationJobBody,
  RunTimeline,
  SavedSchedule,
  SavedView,
  ScanRepositoryAnswer,
  Schedule,
  ScheduleLoad,
  SchemaHealth,
  SetAiActorOwnerBody,
  SetAnomalyVerdictBody,
  SetDataContractOwnerBody,
  SetMigrationWritesBody,
  SetNumberFormatBody,
  SetProjectAccessModeBody,
  SetQueryFolderBody,
  SetQueryMcpToolBody,
  SetRepositoryTokenBody,
  SetSubscriptionOwnerBody,
  SetSubscriptionSlaBody,
  SetTaskPriorityBody,
  SetUserRolesBody,
  SetupRequest,
  SignInOptions,
  Snooze,
  SnoozeTaskBody,
  StartEvalRunBody,
  StopRunAnswer,
  Subscription,
  SubscriptionBulkResult,
  SubscriptionChange,
  SubscriptionInput,
  SubscriptionRoutes,
  TaskBulkResult,
  TaskDetail,
  TaskResultHistory,
  TaskSummary,
  TemplatePreview,
  TestConnectionBody,
  TestRunSubscriptionAnswer,
  ThinkAiActorAnswer,
  TowerContractDetail,
  TowerDetail,
  TowerStatistics,
  UpdateDataSourceBody,
  UpdateMcpProjectSettingsBody,
  UpdateMcpSettingsBody,
  UpdateProjectBody,
  UpdateQueryBody,
  UpdateSavedViewBody,
  UpdateUserSettingsBody,
  User,
  UserInput,
  UserSettings,
  VerifyRelationshipBody,
  WriteDocumentationBody,
} from './schemas.generated.ts';

/** Every operation by its id: what it takes and what it answers. */
export type Operations = {
/** Keeps proposals. Needs the Editor role or above. API keys need the Execute scope. */
readonly acceptRelationships: { readonly input: {
readonly id: number;
readonly body: AcceptRelationshipsBody;
}; readonly answer: AcceptRelationshipsAnswer };
/** Acknowledges the firing alert of a subscription: reminders stop until it clears. Needs the Editor role or above. API keys need the Execute scope. */
readonly acknowledgeAlert: { readonly input: {
readonly id: number;
readonly body: AcknowledgeAlertBody;
}; readonly answer: undefined };
/** Acknowledges the firing alert of a data contract: reminders stop until it clears. Needs the Editor role or above. API keys need the Execute scope. */
readonly acknowledgeContractAlert: { readonly input: {
readonly id: number;
readonly body: AcknowledgeAlertBody;
}; readonly answer: undefined };
/** Attaches existing recipients. Needs the Editor role or above. API keys need the Execute scope. */
readonly addDataContractRecipients: { readonly input: {
readonly id: number;
readonly body: AddDataContractRecipientsBody;
}; readonly answer: DataContract };
/** Adds a user to a project, named by id or by user name. Needs the Editor role or above or the UserAdmin permission. API keys need the Execute scope. */
readonly addProjectMember: { readonly input: {
readonly id: number;
readonly body: AddProjectMemberBody;
}; readonly answer: ProjectMember };
/** Adds a repository to a project; it is read by the first scan. Needs the Editor role or above. API keys need the Execute scope. */
readonly addRepository: { readonly input: {
readonly id: number;
readonly body: AddRepositoryBody;
}; readonly answer: Repository };
/** Attaches existing recipients. Needs the Editor role or above. API keys need the Execute scope. */
readonly addSubscriptionRecipients: { readonly input: {
readonly id: number;
readonly body: AddSubscriptionRecipientsBody;
}; readonly answer: Subscription };
/** Comments on a task. Needs the Editor role or above. API keys need the Execute scope. */
readonly addTaskComment: { readonly input: {
readonly id: number;
readonly body: AddTaskCommentBody;
}; readonly answer: AddTaskCommentAnswer };
/** Does what a plan says, a record at a time, with the rights of the caller; a plan is applied once. Needs the Editor role or above. API keys need the Execute scope. */
readonly applyDefinitions: { readonly input: {
readonly body: ApplyDefinitionsBody;
}; readonly answer: ApplyDefinitionsAnswer };
/** Adds a patch to its section, as a new version of it. Needs the Editor role or above. API keys need the Execute scope. */
readonly applyDocumentationPatch: { readonly input: {
readonly id: number;
readonly body: ApplyDocumentationPatchBody;
}; readonly answer: DocumentationPatch };
/** Applies a plan, or some of its actions, as the owner of the actor. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly approveAiPlan: { readonly input: {
readonly id: number;
readonly body: ApproveAiPlanBody;
}; readonly answer: AiPlan };
/** Approves a change that somebody else made. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly approveChange: { readonly input: {
readonly id: number;
readonly body: ApproveChangeInput;
}; readonly answer: undefined };
/** Makes a definition that somebody else proposed the one that runs. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly approveQuery: { readonly input: {
readonly id: number;
readonly body: ApproveQueryBody;
}; readonly answer: undefined };
/** Archives an AI actor; what it made stays, and its plan expires. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveAiActor: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a data contract: its schedule stops, its history stays. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveDataContract: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a data source that no live query uses. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly archiveDataSource: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a job that does not run; its history stays. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly archiveMigrationJob: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a project with everything in it. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveProject: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a subscription: its schedule stops, its history stays. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveSubscription: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a user for good: no sign-in, no keys. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly archiveUser: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Asks a question about the data; the answer is worked out in the background. Needs the Viewer role or above. API keys need the Execute scope. */
readonly askQuestion: { readonly input: {
readonly id: number;
readonly body: AskQuestionBody;
}; readonly answer: Answer };
/** Assigns a task. Needs the Editor role or above. API keys need the Execute scope. */
readonly assignTask: { readonly input: {
readonly id: number;
readonly body: AssignTaskBody;
}; readonly answer: undefined };
/** MCP over Streamable HTTP, of the revisions 2026-07-28 and 2025-11-25 and before; stateless. API keys need the Execute scope. */
readonly callMcp: { readonly input: { readonly [name: string]: never }; readonly answer: CallMcpAnswer };
/** Ends the work on an answer. Needs the Viewer role or above. API keys need the Execute scope. */
readonly cancelAnswer: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Ends a generation that is under way; what it has written stays. Needs the Editor role or above. API keys need the Execute scope. */
readonly cancelDocumentation: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Ends an evaluation; what was asked stays. Needs the Admin role. API keys need the Execute scope. */
readonly cancelEvalRun: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Ends a copy and rolls it back, unless it has committed by then. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly cancelMigrationExecution: { readonly input: {
readonly id: number;
}; readonly answer: CancelMigrationExecutionAnswer };
/** Gives a record another slug. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeDefinitionSlug: { readonly input: {
readonly kind: "DataSource" | "Recipient" | "MigrationJob" | "Project" | "Query" | "Contract" | "Subscription";
readonly id: number;
readonly body: ChangeDefinitionSlugBody;
}; readonly answer: DefinitionObject };
/** Changes the caller's own password; every other session ends, this one gets a new cookie. At most 10 in 60 s for each user. */
readonly changePassword: { readonly input: {
readonly body: ChangePasswordBody;
}; readonly answer: undefined };
/** Changes the role of a member. Needs the Editor role or above or the UserAdmin permission. API keys need the Execute scope. */
readonly changeProjectMember: { readonly input: {
readonly id: number;
readonly userId: number;
readonly body: ChangeProjectMemberBody;
}; readonly answer: ProjectMember };
/** Renames a folder, or moves it with all that is in it. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeQueryFolder: { readonly input: {
readonly id: number;
readonly body: ChangeQueryFolderBody;
}; readonly answer: QueryFolder };
/** Changes label and cardinality; the ends stay. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
readonly body: ChangeRelationshipBody;
}; readonly answer: Relationship };
/** Changes address or branch; another scheme, host or port drops the token. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeRepository: { readonly input: {
readonly id: number;
readonly body: ChangeRepositoryBody;
}; readonly answer: Repository };
/** Does the same to several subscriptions, each for itself. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeSubscriptions: { readonly input: {
readonly body: ChangeSubscriptionsBody;
}; readonly answer: SubscriptionBulkResult };
/** Does the same to several tasks, each for itself. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeTasks: { readonly input: {
readonly body: ChangeTasksBody;
}; readonly answer: TaskBulkResult };
/** Asks rules of a draft within 30 seconds; stores nothing. Needs the Editor role or above. API keys need the Execute scope. */
readonly checkContractRules: { readonly input: {
readonly body: CheckContractRulesBody;
}; readonly answer: CheckContractRulesAnswer };
/** Counts values of the source end that the target end does not have. Needs the Viewer role or above. API keys need the Execute scope. */
readonly checkRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
}; readonly answer: CheckRelationshipAnswer };
/** Ends a connection. Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly closeHub: { readonly input: {
/** The connection token of the negotiation. */
readonly id?: string | number;
}; readonly answer: undefined };
/** Runs both definitions and tells which masked rows differ. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly compareApproval: { readonly input: {
readonly id: number;
readonly body: CompareApprovalBody;
}; readonly answer: ResultComparison };
/** Tells which questions two evaluations differ in. Needs the Admin role. API keys need the Read scope. */
readonly compareEvalRuns: { readonly input: {
readonly id: number;
readonly with: number;
}; readonly answer: EvalComparison };
/** The connection itself: a WebSocket, a stream of server-sent events, or one poll of long polling. Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly connectHub: { readonly input: {
/** The connection token of the negotiation. */
readonly id?: string | number;
}; readonly answer: Response };
/** Makes an AI actor, which the caller owns. Needs the Editor role or above. API keys need the Execute scope. */
readonly createAiActor: { readonly input: {
readonly body: AiActorInput;
}; readonly answer: AiActor };
/** Makes a key; the answer is the only place where it is told. Needs the Viewer role or above. */
readonly createApiKey: { readonly input: {
readonly body: ApiKeyInput;
}; readonly answer: NewApiKey };
/** Begins a conversation about the data of a project. Needs the Viewer role or above. API keys need the Execute scope. */
readonly createConversation: { readonly input: {
readonly body: CreateConversationBody;
}; readonly answer: Conversation };
/** Says what must hold of a table. Needs the Editor role or above. API keys need the Execute scope. */
readonly createDataContract: { readonly input: {
readonly body: DataContractInput;
}; readonly answer: DataContract };
/** Creates a data source; the connection is tried once, and saved even if nobody answers yet. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly createDataSource: { readonly input: {
readonly body: CreateDataSourceBody;
}; readonly answer: DataSource };
/** Adds a user who signs in at the identity provider. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly createExternalUser: { readonly input: {
readonly body: ExternalUserInput;
}; readonly answer: User };
/** Adds a term to the glossary of a project. Needs the Admin role. API keys need the Execute scope. */
readonly createGlossaryTerm: { readonly input: {
readonly body: CreateGlossaryTermBody;
}; readonly answer: GlossaryTerm };
/** Adds a golden example; the gates of dry_run check its statement first. Needs the Admin role. API keys need the Execute scope. */
readonly createGoldenExample: { readonly input: {
readonly body: CreateGoldenExampleBody;
}; readonly answer: GoldenExample };
/** Adds a user who signs in with a password. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly createInternalUser: { readonly input: {
readonly body: InternalUserInput;
}; readonly answer: User };
/** Saves a job; nothing is copied yet. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly createMigrationJob: { readonly input: {
readonly body: MigrationJobInput;
}; readonly answer: MigrationJob };
/** Creates a project; its creator becomes its ProjectAdmin. Needs the Editor role or above. API keys need the Execute scope. */
readonly createProject: { readonly input: {
readonly body: CreateProjectBody;
}; readonly answer: CreateProjectAnswer };
/** Creates a query in a project. Needs the Editor role or above. API keys need the Execute scope. */
readonly createQuery: { readonly input: {
readonly body: CreateQueryBody;
}; readonly answer: Query };
/** Makes a folder of queries in a project. Needs the Editor role or above. API keys need the Execute scope. */
readonly createQueryFolder: { readonly input: {
readonly body: CreateQueryFolderBody;
}; readonly answer: QueryFolder };
/** Adds a recipient. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly createRecipient: { readonly input: {
readonly body: RecipientInput;
}; readonly answer: Recipient };
/** Adds a relationship between two tables of the metadata. Needs the Editor role or above. API keys need the Execute scope. */
readonly createRelationship: { readonly input: {
readonly id: number;
readonly body: CreateRelationshipBody;
}; readonly answer: Relationship };
/** Saves how a list is narrowed and sorted, for the caller alone. Open to everybody. */
readonly createSavedView: { readonly input: {
readonly body: CreateSavedViewBody;
}; readonly answer: SavedView };
/** Makes a signing secret for a webhook; an earlier one signs too until it is removed. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly createSigningSecret: { readonly input: {
readonly id: number;
}; readonly answer: CreateSigningSecretAnswer };
/** Subscribes recipients to a query on a schedule. Needs the Editor role or above. API keys need the Execute scope. */
readonly createSubscription: { readonly input: {
readonly body: SubscriptionInput;
}; readonly answer: Subscription };
/** Creates the first administrator and closes the setup for good. At most 10 in 60 s for each client address. */
readonly createSuperAdmin: { readonly input: {
readonly body: SetupRequest;
}; readonly answer: User };
/** Approves a pattern, which clients and models are told from then on, or rejects it. Needs the Editor role or above. API keys need the Execute scope. */
readonly decideLearnedPattern: { readonly input: {
readonly id: number;
readonly body: DecideLearnedPatternBody;
}; readonly answer: LearnedPattern };
/** Deletes a conversation with its answers; what was said of them stays for the Admins. Needs the Viewer role or above. API keys need the Execute scope. */
readonly deleteConversation: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Ends the scheduled evaluation of a project; its evaluations stay. Needs the Admin role. API keys need the Execute scope. */
readonly deleteEvalSchedule: { readonly input: {
readonly projectId: number;
}; readonly answer: undefined };
/** Deletes a term of the glossary. Needs the Admin role. API keys need the Execute scope. */
readonly deleteGlossaryTerm: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Deletes a golden example. Needs the Admin role. API keys need the Execute scope. */
readonly deleteGoldenExample: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Deletes an uploaded document with its text. Needs the Editor role or above. API keys need the Execute scope. */
readonly deleteImportedDocument: { readonly input: {
readonly id: number;
readonly documentId: number;
}; readonly answer: undefined };
/** Deletes a folder; no query goes with it. Needs the Editor role or above. API keys need the Execute scope. */
readonly deleteQueryFolder: { readonly input: {
readonly id: number;
/** Moves what is in it to where it stands. Default false: only an empty one is deleted. */
readonly moveContents?: boolean;
}; readonly answer: undefined };
/** Archives a recipient that nothing uses. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly deleteRecipient: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Deletes a relationship; neither a refresh nor a proposal brings it back. Needs the Editor role or above. API keys need the Execute scope. */
readonly deleteRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
}; readonly answer: undefined };
/** Deletes one of the caller's saved views. Open to everybody. */
readonly deleteSavedView: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** How two versions of a query differ. Needs the Viewer role or above. API keys need the Read scope. */
readonly diffQueryVersions: { readonly input: {
readonly from: number;
readonly to: number;
}; readonly answer: QueryVersionDiff };
/** Proposes relationships that names suggest; stores nothing. Needs the Viewer role or above. API keys need the Execute scope. */
readonly discoverRelationships: { readonly input: {
readonly id: number;
}; readonly answer: DiscoverRelationshipsAnswer };
/** Takes a candidate out of the list. Needs the Admin role. API keys need the Execute scope. */
readonly dismissCandidate: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Puts away what was generated beside the text of a person. Needs the Editor role or above. API keys need the Execute scope. */
readonly dismissDocumentationProposal: { readonly input: {
readonly id: number;
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
}; readonly answer: undefined };
/** Ends one of the caller's own sessions. Open to everybody. */
readonly endSession: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Ends one session of a user. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly endUserSession: { readonly input: {
readonly id: number;
readonly sessionId: number;
}; readonly answer: undefined };
/** Looks at the table of a data contract now; tells nobody. Needs the Editor role or above. API keys need the Execute scope. */
readonly evaluateDataContract: { readonly input: {
readonly id: number;
}; readonly answer: EvaluateDataContractAnswer };
/** Has a language model say in words what the rows of an answer tell; it sees them masked. Needs the Viewer role or above. API keys need the Execute scope. */
readonly explainAnswer: { readonly input: {
readonly id: number;
}; readonly answer: AnswerExplanation };
/** What somebody's key may do at the moment, and which rule decides. Needs the Admin role or the Auditor permission or the UserAdmin permission. */
readonly explainAnyApiKey: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyExplanation };
/** What one of the caller's own keys may do at the moment, and which rule decides. Open to everybody. */
readonly explainApiKey: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyExplanation };
/** Asks the engine of each step how it would go about it, without running it. Needs the Editor role or above. API keys need the Execute scope. */
readonly explainDraft: { readonly input: {
readonly body: DraftBody;
}; readonly answer: QueryPlans };
/** The same events as a CSV file, oldest first, all of them; the export is recorded too. Needs the Admin role or the Auditor permission. API keys need the Read scope. */
readonly exportAudit: { readonly input: {
/** Part of the event, of a name of whoever did it or what it was done to, of the address or the detail. */
readonly search?: string | number;
/** Default: 93 days before `to`, which is the longest span. */
readonly from?: string | number;
/** Default: now. */
readonly to?: string | number;
/** An event, or a family of events such as `keys`. */
readonly event?: string | number;
readonly actorKind?: "user" | "api_key" | "mcp_caller" | "ai_actor" | "system" | "anonymous";
readonly userId?: number;
readonly apiKeyId?: number;
readonly projectId?: number;
/** What it was done to, e.g. `api_key`, `user`, `project`. */
readonly subjectKind?: string | number;
readonly subjectId?: number;
/** Events of one request. */
readonly traceId?: string | number;
}; readonly answer: Response };
/** A data contract as a document of the Open Data Contract Standard 3.1.0. Needs the Viewer role or above. API keys need the Read scope. */
readonly exportDataContract: { readonly input: {
readonly id: number;
}; readonly answer: Response };
/** Writes records as files: YAML, one for each record, without secrets. Needs the Viewer role or above. API keys need the Execute scope. */
readonly exportDefinitions: { readonly input: {
readonly body: ExportDefinitionsBody;
}; readonly answer: ExportDefinitionsAnswer };
/** The documentation as one file. Needs the Viewer role or above. API keys need the Read scope. */
readonly exportDocumentation: { readonly input: {
readonly id: number;
readonly format?: "Markdown" | "Html";
}; readonly answer: Response };
/** The glossary of a project as a CSV file. Needs the Admin role. API keys need the Read scope. */
readonly exportGlossary: { readonly input: {
readonly projectId: number;
}; readonly answer: Response };
/** Runs a saved query and streams its whole masked result as a file. Needs the Viewer role or above. API keys need the Execute scope. */
readonly exportQuery: { readonly input: {
readonly id: number;
readonly body: ExportQueryBody;
}; readonly answer: Response };
/** Front-channel sign-out of the identity provider. Open to everybody. */
readonly frontChannelLogout: { readonly input: {
readonly sid?: string | number;
readonly iss?: string | number;
}; readonly answer: Response };
/** Makes the sections anew from what is known of the project; text of people stays. Needs the Editor role or above. API keys need the Execute scope. */
readonly generateDocumentation: { readonly input: {
readonly id: number;
/** Whether a language model says what tables hold, from their names, types, keys and comments. Default: where one is set up. */
readonly model?: boolean;
}; readonly answer: GenerateDocumentationAnswer };
/** Settings that change at run time, and who changed them. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getAdminSettings: { readonly input: { readonly [name: string]: never }; readonly answer: AdminSettings };
/** Reads an AI actor with its queries. Needs the Viewer role or above. API keys need the Read scope. */
readonly getAiActor: { readonly input: {
readonly id: number;
}; readonly answer: AiActor };
/** Reads a plan with its actions and who would be told. Needs the Viewer role or above or the Approver permission. API keys need the Read scope. */
readonly getAiPlan: { readonly input: {
readonly id: number;
}; readonly answer: AiPlan };
/** Row counts of a subscription, with what was expected and what was unusual. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getAnomalyChart: { readonly input: {
readonly id: number;
/** Default 30. */
readonly days?: number;
}; readonly answer: AnomalyChart };
/** Reads an answer as far as it is. Needs the Viewer role or above. API keys need the Read scope. */
readonly getAnswer: { readonly input: {
readonly id: number;
}; readonly answer: Answer };
/** Token that a browser sends back as X-XSRF-TOKEN, with the cookie that is set here. Open to everybody. */
readonly getAntiforgeryToken: { readonly input: { readonly [name: string]: never }; readonly answer: GetAntiforgeryTokenAnswer };
/** What somebody's key was used for, by route and by day, for 30 days. Needs the Admin role or the Auditor permission or the UserAdmin permission. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getAnyApiKeyUses: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyUses };
/** What one of the caller's own keys was used for, by route and by day, for 30 days. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getApiKeyUses: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyUses };
/** One request about a query, with both definitions and who is hit. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly getApproval: { readonly input: {
readonly id: number;
}; readonly answer: QueryApproval };
/** One request about a recipient, with before and after. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly getChange: { readonly input: {
readonly id: number;
}; readonly answer: ChangeDetail };
/** One evaluation: how each rule stood, and rows that broke it. Needs the Viewer role or above. API keys need the Read scope. */
readonly getContractEvaluation: { readonly input: {
readonly id: number;
readonly evaluationId: number;
}; readonly answer: ContractEvaluationDetail };
/** Reads a conversation with its questions, oldest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly getConversation: { readonly input: {
readonly id: number;
}; readonly answer: GetConversationAnswer };
/** The current session, if there is one. Open to everybody. */
readonly getCurrentUser: { readonly input: { readonly [name: string]: never }; readonly answer: CurrentUser };
/** One data contract with its rules. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDataContract: { readonly input: {
readonly id: number;
}; readonly answer: DataContract };
/** How the data contracts of the readable projects stand. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getDataQualityOverview: { readonly input: { readonly [name: string]: never }; readonly answer: DataQualityOverview };
/** Reads a data source. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDataSource: { readonly input: {
readonly id: number;
}; readonly answer: DataSource };
/** Reads the tables of a data source: as last read, or now when they never were. Needs the Viewer role or above. API keys need the Execute scope. */
readonly getDataSourceMetadata: { readonly input: {
readonly id: number;
}; readonly answer: DataSourceMetadata };
/** The slug of a record, and who applied it from files. Needs the Viewer role or above or the SecurityAdmin permission or the DataSourceAdmin permission or the Auditor permission or the MigrationOperator permission. API keys need the Read scope. */
readonly getDefinitionObject: { readonly input: {
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
readonly id: number;
}; readonly answer: DefinitionObject };
/** JSON Schemas of the files, by the kind of record. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDefinitionSchemas: { readonly input: { readonly [name: string]: never }; readonly answer: GetDefinitionSchemasAnswer };
/** The documentation of a project, section by section. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDocumentation: { readonly input: {
readonly id: number;
}; readonly answer: GetDocumentationAnswer };
/** Reads the sections that a version changed, as they were before and after. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDocumentationVersion: { readonly input: {
readonly id: number;
readonly number: number;
}; readonly answer: DocumentationVersionDetail };
/** Reads an evaluation as far as it is. Needs the Admin role. API keys need the Read scope. */
readonly getEvalRun: { readonly input: {
readonly id: number;
}; readonly answer: EvalRun };
/** Which steps to a first alert are done, of what the caller can read. Needs the Viewer role or above. API keys need the Read scope. */
readonly getFirstSteps: { readonly input: { readonly [name: string]: never }; readonly answer: FirstSteps };
/** Reads one term of the glossary. Needs the Admin role. API keys need the Read scope. */
readonly getGlossaryTerm: { readonly input: {
readonly id: number;
}; readonly answer: GlossaryTerm };
/** Reads one golden example. Needs the Admin role. API keys need the Read scope. */
readonly getGoldenExample: { readonly input: {
readonly id: number;
}; readonly answer: GoldenExample };
/** Tells whether the metadata database answers within 5 seconds. Open to everybody. */
readonly getHealth: { readonly input: { readonly [name: string]: never }; readonly answer: GetHealthAnswer };
/** What happened in the last 30 days, of what the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeActivity: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: GetHomeActivityAnswer };
/** How much there is of what the caller can read, and whether anybody runs jobs. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeKpis: { readonly input: { readonly [name: string]: never }; readonly answer: HomeKpis };
/** How many tasks of the readable projects wait for somebody. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeTaskSummary: { readonly input: { readonly [name: string]: never }; readonly answer: TaskSummary };
/** Runs that the caller may see, day by day, and how they compare with the days before. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeTrends: { readonly input: {
/** Days, today included; default 30. */
readonly days?: number;
}; readonly answer: HomeTrends };
/** Hour by hour, whether the scheduled runs that the caller may see ended well. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeUptime: { readonly input: {
/** Hours, the present one included; default 24. */
readonly hours?: number;
}; readonly answer: HomeUptime };
/** A document with its text. Needs the Viewer role or above. API keys need the Read scope. */
readonly getImportedDocument: { readonly input: {
readonly id: number;
readonly documentId: number;
}; readonly answer: ImportedDocument };
/** The host's own inbox, as the destination of a webhook; null where it keeps none. Needs the Admin role or the SecurityAdmin permission. API keys need the Read scope. */
readonly getInbox: { readonly input: { readonly [name: string]: never }; readonly answer: GetInboxAnswer };
/** The newest rows of a query that a run kept and that the caller may see. Needs the Viewer role or above. API keys need the Read scope. */
readonly getLastResult: { readonly input: {
readonly id: number;
/** Only runs of this subscription. */
readonly subscriptionId?: number;
/** Only runs that ended while this task was open. */
readonly taskId?: number;
}; readonly answer: GetLastResultAnswer };
/** Reads one learned pattern. Needs the Viewer role or above. API keys need the Read scope. */
readonly getLearnedPattern: { readonly input: {
readonly id: number;
}; readonly answer: LearnedPattern };
/** How statements fare in projects that the caller reads, and what was learnt of them. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getLearningStats: { readonly input: {
readonly projectId?: number;
}; readonly answer: LearningStats };
/** Tells what was sent in a call and what was answered, where `Svc:LLM:KeepsContent` has it kept. Needs the Admin role. API keys need the Read scope. */
readonly getLlmCallContent: { readonly input: {
readonly id: number;
}; readonly answer: LlmCallContent };
/** Tells whether the language model can be asked at this moment. Needs the Viewer role or above. API keys need the Read scope. */
readonly getLlmStatus: { readonly input: { readonly [name: string]: never }; readonly answer: LlmStatus };
/** Tells what calls to the language model used. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getLlmUsage: { readonly input: {
/** First day, in UTC; default 29 days before `to`. */
readonly from?: string | number;
/** Last day, in UTC; default today. At most 400 days from the first on. */
readonly to?: string | number;
/** Default `Day`. */
readonly by?: "Day" | "Purpose" | "User" | "Project" | "Model";
}; readonly answer: LlmUsage };
/** What an AI client is told of a project, as one text. Needs the Viewer role or above. API keys need the Execute scope. */
readonly getMcpContext: { readonly input: {
readonly id: number;
}; readonly answer: GetMcpContextAnswer };
/** Settings of MCP in one project. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getMcpProjectSettings: { readonly input: {
readonly projectId: number;
}; readonly answer: McpProjectSettings };
/** Settings of MCP for all projects. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getMcpSettings: { readonly input: { readonly [name: string]: never }; readonly answer: McpSettings };
/** Reads a copy with its progress. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly getMigrationExecution: { readonly input: {
readonly id: number;
}; readonly answer: MigrationExecution };
/** Reads a job. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly getMigrationJob: { readonly input: {
readonly id: number;
}; readonly answer: MigrationJob };
/** Figures of data migration; zeros while it is off. Needs the Viewer role or above or the MigrationOperator permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getMigrationSummary: { readonly input: { readonly [name: string]: never }; readonly answer: MigrationSummary };
/** One run, with its deliveries and stored results. Needs the Viewer role or above. API keys need the Read scope. */
readonly getNotification: { readonly input: {
readonly id: number;
}; readonly answer: NotificationDetail };
/** Tells what calls to the language model used that were made for the caller. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getOwnLlmUsage: { readonly input: {
/** Days up to now; default 30. */
readonly days?: number;
}; readonly answer: LlmOwnUsage };
/** What the caller may do. API keys need the Read scope. */
readonly getPermissions: { readonly input: { readonly [name: string]: never }; readonly answer: Permissions };
/** Reads a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly getProject: { readonly input: {
readonly id: number;
}; readonly answer: Project };
/** Protected-resource metadata of the MCP endpoint (RFC 9728). Open to everybody. */
readonly getProtectedResource: { readonly input: { readonly [name: string]: never }; readonly answer: GetProtectedResourceAnswer };
/** The same, at the place that is made from the endpoint’s path. Open to everybody. */
readonly getProtectedResourceOfMcp: { readonly input: { readonly [name: string]: never }; readonly answer: GetProtectedResourceOfMcpAnswer };
/** One query. Needs the Viewer role or above. API keys need the Read scope. */
readonly getQuery: { readonly input: {
readonly id: number;
}; readonly answer: Query };
/** One folder of queries. Needs the Viewer role or above. API keys need the Read scope. */
readonly getQueryFolder: { readonly input: {
readonly id: number;
}; readonly answer: QueryFolder };
/** The tool that AI clients are offered of a query. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly getQueryMcpTool: { readonly input: {
readonly id: number;
}; readonly answer: QueryMcpTool };
/** One version of a query, with its definition. Needs the Viewer role or above. API keys need the Read scope. */
readonly getQueryVersion: { readonly input: {
readonly id: number;
}; readonly answer: QueryVersion };
/** One recipient. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly getRecipient: { readonly input: {
readonly id: number;
}; readonly answer: Recipient };
/** How a recipient is delivered to: signatures and repetitions. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly getRecipientSettings: { readonly input: {
readonly id: number;
}; readonly answer: RecipientSettings };
/** How long history is kept, and since when there is some. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getRetention: { readonly input: { readonly [name: string]: never }; readonly answer: Retention };
/** What led to a run, what its time went into, and what followed from it. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getRunTimeline: { readonly input: {
readonly id: number;
}; readonly answer: RunTimeline };
/** What the schedules of the readable projects make due in the next 24 hours, and what clashes. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getScheduleLoad: { readonly input: {
readonly projectId?: number;
readonly dataSourceId?: number;
}; readonly answer: ScheduleLoad };
/** What is remarkable about the schema of a data source. Needs the Viewer role or above. API keys need the Read scope. */
readonly getSchemaHealth: { readonly input: {
readonly id: number;
}; readonly answer: SchemaHealth };
/** The MCP server card. Open to everybody. */
readonly getServerCard: { readonly input: { readonly [name: string]: never }; readonly answer: GetServerCardAnswer };
/** The same, at the place that the draft of server cards recommends. Open to everybody. */
readonly getServerCardOfMcp: { readonly input: { readonly [name: string]: never }; readonly answer: GetServerCardOfMcpAnswer };
/** Tells whether the first-run setup is open. Open to everybody. */
readonly getSetupStatus: { readonly input: { readonly [name: string]: never }; readonly answer: GetSetupStatusAnswer };
/** Whether single sign-on is offered, and its label. Open to everybody. */
readonly getSignInOptions: { readonly input: { readonly [name: string]: never }; readonly answer: SignInOptions };
/** One subscription, archived ones too. Needs the Viewer role or above. API keys need the Read scope. */
readonly getSubscription: { readonly input: {
readonly id: number;
}; readonly answer: Subscription };
/** One task. Needs the Viewer role or above. API keys need the Read scope. */
readonly getTask: { readonly input: {
readonly id: number;
}; readonly answer: TaskDetail };
/** Row counts of the runs, or rules that evaluations did not pass, that the caller may see. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTaskResultHistory: { readonly input: {
readonly id: number;
}; readonly answer: TaskResultHistory };
/** Health of one data contract, its days, its last evaluations and what was told of it. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTowerContract: { readonly input: {
readonly id: number;
/** Days that figures are of, today in UTC included; default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
}; readonly answer: TowerContractDetail };
/** How many subscriptions and data contracts of the readable projects are well, and how their runs went. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTowerStatistics: { readonly input: {
readonly kind?: "Subscription" | "Contract";
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the name. */
readonly search?: string | number;
/** Days that figures are of, today in UTC included; default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
}; readonly answer: TowerStatistics };
/** Health of one subscription, its days and its last runs. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTowerSubscription: { readonly input: {
readonly id: number;
/** Days that figures are of, today in UTC included; default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
}; readonly answer: TowerDetail };
/** One user, archived ones too. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly getUser: { readonly input: {
readonly id: number;
}; readonly answer: User };
/** The caller's own account. Open to everybody. */
readonly getUserSettings: { readonly input: { readonly [name: string]: never }; readonly answer: UserSettings };
/** Says whether an answer is right, and which statement would have been; the last word counts. Needs the Viewer role or above. API keys need the Execute scope. */
readonly giveFeedback: { readonly input: {
readonly id: number;
readonly body: GiveFeedbackBody;
}; readonly answer: undefined };
/** Makes data contracts of a document of the Open Data Contract Standard 3.0.x or 3.1.x. Needs the Editor role or above. API keys need the Execute scope. */
readonly importDataContracts: { readonly input: {
readonly body: ImportDataContractsBody;
}; readonly answer: OdcsImport };
/** Imports the operator's folders of a project immediately. Needs the Editor role or above. API keys need the Execute scope. */
readonly importDocumentsNow: { readonly input: {
readonly id: number;
}; readonly answer: DocumentImport };
/** Adds and changes terms of the glossary by a CSV document. Needs the Admin role. API keys need the Execute scope. */
readonly importGlossary: { readonly input: {
readonly body: ImportGlossaryBody;
}; readonly answer: GlossaryImport };
/** Has a language model rewrite the text of a section as it is told to. Needs the Editor role or above. API keys need the Execute scope. */
readonly instructDocumentation: { readonly input: {
readonly id: number;
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly body: InstructDocumentationBody;
}; readonly answer: InstructDocumentationAnswer };
/** Starts learning from the use of a project now. Needs the Editor role or above. API keys need the Execute scope. */
readonly learnNow: { readonly input: {
readonly body: LearnNowBody;
}; readonly answer: LearnNowAnswer };
/** Links a data source to a project. Needs the Editor role or above. API keys need the Execute scope. */
readonly linkProjectDataSource: { readonly input: {
readonly id: number;
readonly body: LinkProjectDataSourceBody;
}; readonly answer: ProjectDataSource };
/** Plans of an AI actor, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listAiActorPlans: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly status?: "Pending" | "Applied" | "Rejected" | "Withdrawn" | "RevisionRequested" | "Expired";
}; readonly answer: ListAiActorPlansAnswer };
/** AI actors of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listAiActors: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of a name. */
readonly search?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
readonly state?: "Draft" | "Active" | "Paused" | "Failed" | "Archived";
}; readonly answer: ListAiActorsAnswer };
/** Plans of the AI actors of the readable projects, newest first; Approvers read every one. Needs the Viewer role or above or the Approver permission. API keys need the Read scope. */
readonly listAiPlans: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly status?: "Pending" | "Applied" | "Rejected" | "Withdrawn" | "RevisionRequested" | "Expired";
}; readonly answer: ListAiPlansAnswer };
/** What an AI actor thought, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listAiThinks: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListAiThinksAnswer };
/** Everybody's keys, newest first. Needs the Admin role or the Auditor permission or the UserAdmin permission. */
readonly listAllApiKeys: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly userId?: number;
}; readonly answer: ListAllApiKeysAnswer };
/** The caller's own keys, newest first. Open to everybody. */
readonly listApiKeys: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListApiKeysAnswer };
/** Security events and calls of AI clients, newest first; reading it is recorded too. Needs the Admin role or the Auditor permission. API keys need the Read scope. */
readonly listAudit: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the event, of a name of whoever did it or what it was done to, of the address or the detail. */
readonly search?: string | number;
/** Default: 93 days before `to`, which is the longest span. */
readonly from?: string | number;
/** Default: now. */
readonly to?: string | number;
/** An event, or a family of events such as `keys`. */
readonly event?: string | number;
readonly actorKind?: "user" | "api_key" | "mcp_caller" | "ai_actor" | "system" | "anonymous";
readonly userId?: number;
readonly apiKeyId?: number;
readonly projectId?: number;
/** What it was done to, e.g. `api_key`, `user`, `project`. */
readonly subjectKind?: string | number;
readonly subjectId?: number;
/** Events of one request. */
readonly traceId?: string | number;
}; readonly answer: ListAuditAnswer };
/** Lists statements that may become golden examples. Needs the Admin role. API keys need the Read scope. */
readonly listCandidates: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
/** Default `Proposed`. */
readonly state?: "Proposed" | "Promoted" | "Dismissed";
}; readonly answer: ListCandidatesAnswer };
/** Requests to approve a change, of every kind and however they stand. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly listChanges: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly status?: "Pending" | "Approved" | "Rejected" | "Withdrawn";
readonly kind?: "Recipient" | "Query" | "Plan";
/** Part of the name of what changes. */
readonly search?: string | number;
}; readonly answer: ListChangesAnswer };
/** Lines of a project’s code that name tables of its data sources. Needs the Viewer role or above. API keys need the Read scope. */
readonly listCodeReferences: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of path, table or line. */
readonly search?: string | number;
readonly repositoryId?: number;
/** Name of a table; case does not matter. */
readonly table?: string | number;
readonly kind?: "RawSql" | "Model" | "Migration" | "Other";
}; readonly answer: ListCodeReferencesAnswer };
/** Evaluations of a data contract, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listContractEvaluations: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly status?: "Queued" | "Running" | "Passed" | "Warned" | "Failed" | "Error";
}; readonly answer: ListContractEvaluationsAnswer };
/** Lists the caller's own conversations. Needs the Viewer role or above. API keys need the Read scope. */
readonly listConversations: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListConversationsAnswer };
/** Data contracts of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listDataContracts: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of a name or a table. */
readonly search?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
}; readonly answer: ListDataContractsAnswer };
/** Files in the folders that data sources may read, newest first. Needs the Admin role or the DataSourceAdmin permission. API keys need the Read scope. */
readonly listDataFiles: { readonly input: { readonly [name: string]: never }; readonly answer: ListDataFilesAnswer };
/** Tells which engines there are and which settings their connections have. Needs the Admin role or the DataSourceAdmin permission. API keys need the Read scope. */
readonly listDataSourceEngines: { readonly input: { readonly [name: string]: never }; readonly answer: ListDataSourceEnginesAnswer };
/** Lists the data sources linked to a project that the caller can read. Needs the Viewer role or above or the DataSourceAdmin permission. API keys need the Read scope. */
readonly listDataSources: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name; case does not matter. */
readonly search?: string | number;
readonly projectId?: number;
/** Only those with warnings, or without, as the caller sees them. */
readonly hasWarnings?: boolean;
}; readonly answer: ListDataSourcesAnswer };
/** Lists what use of the data would add to the documentation, in projects that the caller reads. Needs the Viewer role or above. API keys need the Read scope. */
readonly listDocumentationPatches: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
readonly state?: "Proposed" | "Applied" | "Rejected" | "Superseded";
}; readonly answer: ListDocumentationPatchesAnswer };
/** Lists the versions of the documentation of a project, with what each changed. Needs the Viewer role or above. API keys need the Read scope. */
readonly listDocumentationVersions: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListDocumentationVersionsAnswer };
/** Lists what came of each question of an evaluation. Needs the Admin role. API keys need the Read scope. */
readonly listEvalResults: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly verdict?: "Passed" | "WrongRows" | "WrongTables" | "NotRun" | "Abstained" | "AnsweredUnanswerable" | "Harness";
}; readonly answer: ListEvalResultsAnswer };
/** Lists evaluations of how well questions are answered. Needs the Admin role. API keys need the Read scope. */
readonly listEvalRuns: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListEvalRunsAnswer };
/** Lists the schedules by which projects are evaluated. Needs the Admin role. API keys need the Read scope. */
readonly listEvalSchedules: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListEvalSchedulesAnswer };
/** Lists what people say of answers. Needs the Admin role. API keys need the Read scope. */
readonly listFeedback: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
readonly verdict?: "Right" | "Wrong";
}; readonly answer: ListFeedbackAnswer };
/** Problems that exist now, newest first, of what the caller may see. Needs the Viewer role or above. API keys need the Read scope. */
readonly listFiring: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListFiringAnswer };
/** Lists the terms of the business glossary. Needs the Admin role. API keys need the Read scope. */
readonly listGlossary: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the term, a synonym or the definition. */
readonly search?: string | number;
readonly includeInactive?: boolean;
}; readonly answer: ListGlossaryAnswer };
/** Lists golden examples: questions whose right answer is known. Needs the Admin role. API keys need the Read scope. */
readonly listGoldenExamples: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the question, the statement or the notes. */
readonly search?: string | number;
readonly includeInactive?: boolean;
readonly brokenOnly?: boolean;
}; readonly answer: ListGoldenExamplesAnswer };
/** Lists the documents of a project: those that the host imports, and uploaded ones. Needs the Viewer role or above. API keys need the Read scope. */
readonly listImportedDocuments: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of title, path or text; case does not matter. */
readonly search?: string | number;
}; readonly answer: ListImportedDocumentsAnswer };
/** Lists what was learnt of how data is asked for, in projects that the caller reads. Needs the Viewer role or above. API keys need the Read scope. */
readonly listLearnedPatterns: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
readonly state?: "Proposed" | "Approved" | "Rejected" | "Superseded";
readonly kind?: "SchemaCorrection" | "JoinPattern" | "CommonQuery" | "DocumentationGap" | "BusinessTerm";
/** Part of the table’s name. */
readonly table?: string | number;
}; readonly answer: ListLearnedPatternsAnswer };
/** Lists calls to the language model, without what they were about. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listLlmCalls: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListLlmCallsAnswer };
/** Projects with what they set for themselves, by name. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listMcpProjects: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly search?: string | number;
}; readonly answer: ListMcpProjectsAnswer };
/** Who changed which setting of MCP, newest first. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listMcpSettingsChanges: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListMcpSettingsChangesAnswer };
/** Tools that AI clients are offered in a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly listMcpTools: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId: number;
}; readonly answer: ListMcpToolsAnswer };
/** Lists the data sources that a job can read, and whether it may write to them. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly listMigrationDataSources: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
}; readonly answer: ListMigrationDataSourcesAnswer };
/** Lists what was copied, and how it went. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listMigrationExecutions: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly migrationJobId?: number;
readonly status?: "Queued" | "Running" | "Completed" | "PartialSuccess" | "Failed" | "Cancelled";
readonly from?: string | number;
readonly to?: string | number;
}; readonly answer: ListMigrationExecutionsAnswer };
/** Lists the jobs of data migration. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly listMigrationJobs: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
}; readonly answer: ListMigrationJobsAnswer };
/** Tells the schemas and tables of a data source, as they were when last read. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly listMigrationTables: { readonly input: {
readonly id: number;
}; readonly answer: MigrationTables };
/** Due times whose run did not start in time or was skipped, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listMissedRuns: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListMissedRunsAnswer };
/** The caller's notices about what they answer for, newest first. Open to everybody. */
readonly listNotices: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly isUnread?: boolean;
}; readonly answer: ListNoticesAnswer };
/** History of runs that the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listNotifications: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly status?: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
readonly subscriptionId?: number;
readonly contractId?: number;
readonly queryId?: number;
/** Part of the query name. */
readonly search?: string | number;
/** Runs that had something to deliver to this recipient. */
readonly recipientId?: number;
/** Runs that were due at this time or later. */
readonly from?: string | number;
/** Runs that were due before. */
readonly to?: string | number;
}; readonly answer: ListNotificationsAnswer };
/** The caller's own last runs of queries and drafts, the newest first. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listOwnRuns: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly projectId?: number;
readonly queryId?: number;
}; readonly answer: ListOwnRunsAnswer };
/** Requests that wait for a decision, of every kind. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly listPendingApprovals: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly kind?: "Recipient" | "Query" | "Plan";
/** Part of the name of what changes. */
readonly search?: string | number;
}; readonly answer: ListPendingApprovalsAnswer };
/** Lists the data sources linked to a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly listProjectDataSources: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name; case does not matter. */
readonly search?: string | number;
}; readonly answer: ListProjectDataSourcesAnswer };
/** Lists the members of a project. Needs the Viewer role or above or the UserAdmin permission. API keys need the Read scope. */
readonly listProjectMembers: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name; case does not matter. */
readonly search?: string | number;
}; readonly answer: ListProjectMembersAnswer };
/** Lists the projects that the caller can read. Needs the Viewer role or above. API keys need the Read scope. */
readonly listProjects: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name; case does not matter. */
readonly search?: string | number;
readonly dataSourceId?: number;
/** Only projects that an API key of the caller could reach: without the Admin bypass. */
readonly forApiKey?: boolean;
}; readonly answer: ListProjectsAnswer };
/** Queries of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueries: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name or the description. */
readonly search?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
/** In this folder or in one below it. */
readonly folderId?: number;
readonly check?: "Passed" | "Failed" | "NotChecked";
}; readonly answer: ListQueriesAnswer };
/** What happened to a query, the newest first: who changed it, and why. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueryChanges: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Versions in which this step says something else. */
readonly stepKey?: string | number;
readonly source?: "User" | "Restore" | "AiActor" | "Import";
readonly from?: string | number;
/** What happened before this moment. */
readonly to?: string | number;
}; readonly answer: ListQueryChangesAnswer };
/** Folders of queries in the readable projects, in the order of the tree. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueryFolders: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
readonly projectId?: number;
}; readonly answer: ListQueryFoldersAnswer };
/** Queries that are published to AI clients. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listQueryMcpTools: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name of the tool or of the query. */
readonly search?: string | number;
readonly projectId?: number;
}; readonly answer: ListQueryMcpToolsAnswer };
/** Versions of a query, the newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueryVersions: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListQueryVersionsAnswer };
/** How the last attempts to tell recipients ended. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listRecentDeliveries: { readonly input: {
/** Ids of recipients, separated by commas; at most 200. */
readonly recipientIds: string | number;
}; readonly answer: RecentDeliveries };
/** How the last runs of subscriptions ended, and with how many rows. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listRecentRuns: { readonly input: {
/** Ids of subscriptions, separated by commas; at most 200. */
readonly subscriptionIds: string | number;
}; readonly answer: RecentRuns };
/** Subscriptions and data contracts that use a recipient, as far as the caller can read them. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly listRecipientUses: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListRecipientUsesAnswer };
/** Recipients. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly listRecipients: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name or the description. */
readonly search?: string | number;
readonly notificationType?: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
}; readonly answer: ListRecipientsAnswer };
/** Lists rows that a copy could not write: number, key, column and code, and nothing else of them. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listRejectedRows: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListRejectedRowsAnswer };
/** Other tasks of the same query or the same contract, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listRelatedTasks: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListRelatedTasksAnswer };
/** Lists how tables of a data source hang together. Needs the Viewer role or above. API keys need the Read scope. */
readonly listRelationships: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of a table, column or label. */
readonly search?: string | number;
readonly origin?: "ForeignKey" | "Inferred" | "Manual";
readonly isVerified?: boolean;
/** A table at either end. */
readonly table?: string | number;
}; readonly answer: ListRelationshipsAnswer };
/** Repositories of a project’s code. Needs the Viewer role or above. API keys need the Read scope. */
readonly listRepositories: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListRepositoriesAnswer };
/** Roles that users can hold, highest level first. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly listRoles: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListRolesAnswer };
/** The caller's saved views of a list, by name. Open to everybody. */
readonly listSavedViews: { readonly input: {
readonly list: string | number;
}; readonly answer: ListSavedViewsAnswer };
/** What refreshes of the metadata found added, removed or retyped, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listSchemaChanges: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly kind?: "TableAdded" | "TableRemoved" | "ColumnAdded" | "ColumnRemoved" | "ColumnRetyped";
/** Name of a table. */
readonly table?: string | number;
}; readonly answer: ListSchemaChangesAnswer };
/** The caller's own sessions, latest sign-in first. Open to everybody. */
readonly listSessions: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListSessionsAnswer };
/** Roles that there are; anonymous only while setup is open. Open to everybody. */
readonly listSetupRoles: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListSetupRolesAnswer };
/** Who gets the rows with which value, for those who may change it; none where rows are not routed. Needs the Editor role or above. API keys need the Execute scope. */
readonly listSubscriptionRoutes: { readonly input: {
readonly id: number;
}; readonly answer: SubscriptionRoutes };
/** Subscriptions of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listSubscriptions: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the query name. */
readonly search?: string | number;
readonly projectId?: number;
readonly queryId?: number;
readonly state?: "Active" | "Paused" | "Archived" | "All";
}; readonly answer: ListSubscriptionsAnswer };
/** People who can be assigned a task: those who can read its project, by name. Needs the Viewer role or above. API keys need the Execute scope. */
readonly listTaskAssignees: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
}; readonly answer: ListTaskAssigneesAnswer };
/** Comments, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTaskComments: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListTaskCommentsAnswer };
/** What happened to a task, comments included, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTaskEvents: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListTaskEventsAnswer };
/** Runs of the same subscription, or evaluations of the same contract, that the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTaskExecutions: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListTaskExecutionsAnswer };
/** Tasks of the readable projects; snoozed ones stand apart. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTasks: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly state?: "Open" | "Snoozed" | "Resolved" | "All";
/** Part of the name. */
readonly search?: string | number;
readonly projectId?: number;
readonly subscriptionId?: number;
readonly contractId?: number;
readonly queryId?: number;
readonly assignee?: "Me" | "Nobody" | "Somebody";
readonly priority?: "Critical" | "High" | "Normal" | "Low";
readonly isOverdue?: boolean;
}; readonly answer: ListTasksAnswer };
/** Health of the subscriptions and data contracts of the readable projects, worst first, with reasons. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listTowerHealth: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
readonly kind?: "Subscription" | "Contract";
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the name. */
readonly search?: string | number;
/** Days that figures are of, today in UTC included; default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
readonly health?: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
readonly hasOpenTasks?: boolean;
}; readonly answer: ListTowerHealthAnswer };
/** Browsers in which a user is signed in, latest sign-in first. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly listUserSessions: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
}; readonly answer: ListUserSessionsAnswer };
/** Users. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly listUsers: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, comma-separated; a leading "-" means descending. */
readonly sort?: string | number;
/** Part of user name, email or display name. */
readonly search?: string | number;
readonly includeArchived?: boolean;
readonly role?: "Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator";
/** Only those who may sign in, or may not. */
readonly isEnabled?: boolean;
}; readonly answer: ListUsersAnswer };
/** Locks a query against changes by AI actors, or unlocks it. Needs the Editor role or above. API keys need the Execute scope. */
readonly lockQuery: { readonly input: {
readonly id: number;
readonly body: LockQueryBody;
}; readonly answer: Query };
/** Signs in with a password and sets the session cookie. At most 10 in 60 s for each client address. */
readonly login: { readonly input: {
readonly body: LoginRequest;
}; readonly answer: CurrentUser };
/** Signs out; with `everywhere=true` in every browser. Open to everybody. */
readonly logout: { readonly input: {
readonly everywhere?: boolean;
}; readonly answer: undefined };
/** Moves queries of one project into one of its folders, or out of all: each of them, or none. Needs the Editor role or above. API keys need the Execute scope. */
readonly moveQueries: { readonly input: {
readonly body: MoveQueriesBody;
}; readonly answer: MoveQueriesAnswer };
/** Begins a connection to the realtime hub (SignalR hub protocol). Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly negotiateHub: { readonly input: {
readonly negotiateVersion?: number;
}; readonly answer: HubNegotiation };
/** Pauses an active AI actor; a think that is going on is cancelled. Needs the Editor role or above. API keys need the Execute scope. */
readonly pauseAiActor: { readonly input: {
readonly id: number;
}; readonly answer: AiActor };
/** Stops the schedule of a subscription until it is resumed; it can still be run by hand. Needs the Editor role or above. API keys need the Execute scope. */
readonly pauseSubscription: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Says what applying files would change, and changes nothing. Needs the Editor role or above. API keys need the Execute scope. */
readonly planDefinitions: { readonly input: {
readonly body: PlanDefinitionsBody;
}; readonly answer: DefinitionPlan };
/** Checks a draft gate by gate without running it; the engine is asked for its plan only. Needs the Editor role or above. API keys need the Execute scope. */
readonly preflightDraft: { readonly input: {
readonly body: DraftBody;
}; readonly answer: Preflight };
/** Shows how a file is read under its settings, before a data source is saved. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly previewDataFile: { readonly input: {
readonly body: PreviewDataFileBody;
}; readonly answer: FilePreview };
/** Runs a draft without saving it. Needs the Editor role or above. API keys need the Execute scope. */
readonly previewDraft: { readonly input: {
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Whole: every row that a preview reads, in one answer: 10,000 rows, or fewer of more than 16 million characters. `page` and `pageSize` are passed over. Default Page. */
readonly extent?: "Page" | "Whole";
/** A name that the caller makes up for the run, by which it can be stopped. */
readonly runKey?: string | number;
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: DraftBody;
}; readonly answer: QueryPreview };
/** What each recipient would get, from the last run or a dry run; nothing is sent. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewMessages: { readonly input: {
readonly id: number;
readonly body: PreviewMessagesBody;
}; readonly answer: MessagePreview };
/** Tells what a job that is not saved would read and meet: columns, mapping, issues; writes nothing. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly previewMigration: { readonly input: {
readonly body: MigrationPreviewInput;
}; readonly answer: MigrationPreview };
/** Runs a saved query and answers one page of its masked result. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewQuery: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Whole: every row that a preview reads, in one answer: 10,000 rows, or fewer of more than 16 million characters. `page` and `pageSize` are passed over. Default Page. */
readonly extent?: "Page" | "Whole";
/** A name that the caller makes up for the run, by which it can be stopped. */
readonly runKey?: string | number;
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: PreviewQueryBody;
}; readonly answer: QueryPreview };
/** Runs one step of a saved query. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewQueryStep: { readonly input: {
readonly id: number;
readonly stepOrder: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Whole: every row that a preview reads, in one answer: 10,000 rows, or fewer of more than 16 million characters. `page` and `pageSize` are passed over. Default Page. */
readonly extent?: "Page" | "Whole";
/** A name that the caller makes up for the run, by which it can be stopped. */
readonly runKey?: string | number;
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: PreviewQueryStepBody;
}; readonly answer: QueryPreview };
/** Runs a version of a query and answers one page of its masked result. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewQueryVersion: { readonly input: {
readonly id: number;
/** Zero-based page; default 0. */
readonly page?: string | number;
/** Rows a page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Whole: every row that a preview reads, in one answer: 10,000 rows, or fewer of more than 16 million characters. `page` and `pageSize` are passed over. Default Page. */
readonly extent?: "Page" | "Whole";
/** A name that the caller makes up for the run, by which it can be stopped. */
readonly runKey?: string | number;
/** Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: PreviewQueryVersionBody;
}; readonly answer: QueryPreview };
/** Explains a schedule: words and the next five times. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewSchedule: { readonly input: {
readonly body: PreviewScheduleBody;
}; readonly answer: Schedule };
/** What a body template gives for a sample result; nothing is saved or sent. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly previewTemplate: { readonly input: {
readonly body: PreviewTemplateBody;
}; readonly answer: TemplatePreview };
/** Makes a golden example of a candidate; the gates of dry_run check its statement first. Needs the Admin role. API keys need the Execute scope. */
readonly promoteCandidate: { readonly input: {
readonly id: number;
readonly body: PromoteCandidateBody;
}; readonly answer: GoldenExample };
/** Brings an archived subscription back, with its schedule. Needs the Editor role or above. API keys need the Execute scope. */
readonly reactivateSubscription: { readonly input: {
readonly id: number;
}; readonly answer: Subscription };
/** Marks all of the caller's notices as read. Open to everybody. */
readonly readAllNotices: { readonly input: { readonly [name: string]: never }; readonly answer: undefined };
/** Marks a notice as read. Open to everybody. */
readonly readNotice: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Asks the data sources again about what active terms stand for, and marks those that are broken. Needs the Admin role. API keys need the Execute scope. */
readonly recheckGlossary: { readonly input: {
readonly body: RecheckGlossaryBody;
}; readonly answer: GlossaryRecheck };
/** Checks active golden examples against their data sources again, and marks those that are broken. Needs the Admin role. API keys need the Execute scope. */
readonly recheckGoldenExamples: { readonly input: {
readonly body: RecheckGoldenExamplesBody;
}; readonly answer: GoldenRecheck };
/** Has an AI actor think again with feedback; a plan that waits is replaced by the next version. Needs the Editor role or above. API keys need the Execute scope. */
readonly refineAiActor: { readonly input: {
readonly id: number;
readonly body: RefineAiActorBody;
}; readonly answer: RefineAiActorAnswer };
/** Reads the tables of a data source anew; once in 30 seconds for each source. Needs the Editor role or above. API keys need the Execute scope. At most 1 in 30 s for each data source. */
readonly refreshDataSourceMetadata: { readonly input: {
readonly id: number;
}; readonly answer: DataSourceMetadata };
/** Rejects a plan. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly rejectAiPlan: { readonly input: {
readonly id: number;
readonly body: RejectAiPlanBody;
}; readonly answer: undefined };
/** Rejects a change that somebody else made. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly rejectChange: { readonly input: {
readonly id: number;
readonly body: RejectChangeInput;
}; readonly answer: undefined };
/** Rejects a patch; it is not proposed again. Needs the Editor role or above. API keys need the Execute scope. */
readonly rejectDocumentationPatch: { readonly input: {
readonly id: number;
}; readonly answer: DocumentationPatch };
/** Rejects a definition that somebody else proposed, and says why. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly rejectQuery: { readonly input: {
readonly id: number;
readonly body: RejectQueryBody;
}; readonly answer: undefined };
/** Gives a record that is managed from files back to whoever may change it by hand. Needs the Admin role. API keys need the Execute scope. */
readonly releaseDefinitionObject: { readonly input: {
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
readonly id: number;
}; readonly answer: DefinitionObject };
/** Detaches a recipient. Needs the Editor role or above. API keys need the Execute scope. */
readonly removeDataContractRecipient: { readonly input: {
readonly id: number;
readonly recipientId: number;
}; readonly answer: undefined };
/** Ends a change of signing secrets: the earlier one signs no more. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly removePreviousSigningSecret: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Removes a member. Needs the Editor role or above or the UserAdmin permission. API keys need the Execute scope. */
readonly removeProjectMember: { readonly input: {
readonly id: number;
readonly userId: number;
}; readonly answer: undefined };
/** Takes a repository off its project, with its token and what was found in it. Needs the Editor role or above. API keys need the Execute scope. */
readonly removeRepository: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Turns signatures off. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly removeSigningSecrets: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Detaches a recipient. Needs the Editor role or above. API keys need the Execute scope. */
readonly removeSubscriptionRecipient: { readonly input: {
readonly id: number;
readonly recipientId: number;
}; readonly answer: undefined };
/** Opens a resolved task again. Needs the Editor role or above. API keys need the Execute scope. */
readonly reopenTask: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Changes the settings of an AI actor; its project and its data source stay. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceAiActor: { readonly input: {
readonly id: number;
readonly body: AiActorChange;
}; readonly answer: AiActor };
/** Makes a key of the same name, scopes and projects; the old one ends after an overlap. Needs the Viewer role or above. */
readonly replaceApiKey: { readonly input: {
readonly id: number;
readonly body: ReplacementInput;
}; readonly answer: NewApiKey };
/** Saves a data contract anew; rules that are named by their ids stay what they are. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceDataContract: { readonly input: {
readonly id: number;
readonly body: DataContractChange;
}; readonly answer: DataContract };
/** Replaces what a term says; its project stays. Needs the Admin role. API keys need the Execute scope. */
readonly replaceGlossaryTerm: { readonly input: {
readonly id: number;
readonly body: GlossaryInput;
}; readonly answer: GlossaryTerm };
/** Replaces what a golden example says; its project stays. Needs the Admin role. API keys need the Execute scope. */
readonly replaceGoldenExample: { readonly input: {
readonly id: number;
readonly body: ReplaceGoldenExampleBody;
}; readonly answer: GoldenExample };
/** Replaces the content of an uploaded document; the body is its bytes. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceImportedDocument: { readonly input: {
readonly id: number;
readonly documentId: number;
readonly body: FileBody;
}; readonly answer: ImportedDocumentItem };
/** Has a new subscription with another schedule take the place of one, which is archived. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceSubscription: { readonly input: {
readonly id: number;
readonly body: ReplaceSubscriptionBody;
}; readonly answer: Subscription };
/** Holds a pattern against the golden examples of its data source. Needs the Viewer role or above. API keys need the Execute scope. */
readonly replayLearnedPattern: { readonly input: {
readonly id: number;
}; readonly answer: PatternReplay };
/** Makes one delivery again, with the message as it was. Needs the Editor role or above. API keys need the Execute scope. */
readonly resendDelivery: { readonly input: {
readonly id: number;
readonly deliveryId: number;
}; readonly answer: ResendDeliveryAnswer };
/** Makes all failed deliveries of a run again. Needs the Editor role or above. API keys need the Execute scope. */
readonly resendFailedDeliveries: { readonly input: {
readonly id: number;
readonly body: ResendFailedDeliveriesBody;
}; readonly answer: ResendFailedDeliveriesAnswer };
/** Makes all failed deliveries of a window of time again, in the projects that the caller may write in. Needs the Editor role or above. API keys need the Execute scope. */
readonly resendFailedOfWindow: { readonly input: {
readonly body: ResendFailedInput;
}; readonly answer: ResendFailedOfWindowAnswer };
/** Has a subscription forget its alert: the next rows are told as new. Needs the Editor role or above. API keys need the Execute scope. */
readonly resetAlert: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Has a subscription forget its rows: the next run remembers them anew and tells nobody. Needs the Editor role or above. API keys need the Execute scope. */
readonly resetRowMemory: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Resolves a task; a resolution is never overwritten. Needs the Editor role or above. API keys need the Execute scope. */
readonly resolveTask: { readonly input: {
readonly id: number;
readonly body: ResolveTaskBody;
}; readonly answer: undefined };
/** Makes what a version says the definition of its query again, as a new version. Needs the Editor role or above. API keys need the Execute scope. */
readonly restoreQueryVersion: { readonly input: {
readonly id: number;
readonly body: RestoreQueryVersionBody;
}; readonly answer: Query };
/** Makes a draft, a paused or a failed AI actor active. Needs the Editor role or above. API keys need the Execute scope. */
readonly resumeAiActor: { readonly input: {
readonly id: number;
}; readonly answer: AiActor };
/** Has the schedule of a paused subscription fire again; what was due meanwhile is not run. Needs the Editor role or above. API keys need the Execute scope. */
readonly resumeSubscription: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Starts a copy anew that failed or was cancelled, as the job is now. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly retryMigrationExecution: { readonly input: {
readonly id: number;
}; readonly answer: RetryMigrationExecutionAnswer };
/** Requests another version of a plan; the same reviewer may decide on that version. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly reviseAiPlan: { readonly input: {
readonly id: number;
readonly body: ReviseAiPlanBody;
}; readonly answer: ReviseAiPlanAnswer };
/** Revokes another user's key. Needs the Admin role or the UserAdmin permission. */
readonly revokeAnyApiKey: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Revokes one of the caller's own keys. Open to everybody. */
readonly revokeApiKey: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Runs the statement of an answer again, and keeps its rows. Needs the Viewer role or above. API keys need the Execute scope. */
readonly runAnswer: { readonly input: {
readonly id: number;
}; readonly answer: Answer };
/** Calls a tool as an AI client would, with the caller’s own rights. Needs the Viewer role or above. API keys need the Execute scope. */
readonly runMcpTool: { readonly input: {
readonly body: RunMcpToolBody;
}; readonly answer: McpToolResult };
/** Starts a copy, or a trial of its first rows that is rolled back. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly runMigrationJob: { readonly input: {
readonly id: number;
readonly body: RunMigrationJobBody;
}; readonly answer: RunMigrationJobAnswer };
/** Has the golden examples of a project evaluated by a schedule, and a drop of their accuracy told. Needs the Admin role. API keys need the Execute scope. */
readonly saveEvalSchedule: { readonly input: {
readonly body: SavedSchedule;
}; readonly answer: EvalSchedule };
/** Reads the newest commit of the branch for lines that name tables. Needs the Editor role or above. API keys need the Execute scope. */
readonly scanRepository: { readonly input: {
readonly id: number;
}; readonly answer: ScanRepositoryAnswer };
/** Records from a client whose connection carries only the other direction. Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly sendToHub: { readonly input: {
/** The connection token of the negotiation. */
readonly id?: string | number;
}; readonly answer: undefined };
/** Gives an AI actor to another owner. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setAiActorOwner: { readonly input: {
readonly id: number;
readonly body: SetAiActorOwnerBody;
}; readonly answer: undefined };
/** Says whether what was unusual was to be expected: then it counts as history. Needs the Editor role or above. API keys need the Execute scope. */
readonly setAnomalyVerdict: { readonly input: {
readonly id: number;
readonly notificationId: number;
readonly body: SetAnomalyVerdictBody;
}; readonly answer: undefined };
/** Hands a data contract to another user. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setDataContractOwner: { readonly input: {
readonly id: number;
readonly body: SetDataContractOwnerBody;
}; readonly answer: undefined };
/** Says whether data migration may write to a data source. Needs the Admin role. API keys need the Execute scope. */
readonly setMigrationWrites: { readonly input: {
readonly id: number;
readonly body: SetMigrationWritesBody;
}; readonly answer: undefined };
/** Sets the form of large whole numbers and decimals in the records of messages. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setNumberFormat: { readonly input: {
readonly id: number;
readonly body: SetNumberFormatBody;
}; readonly answer: RecipientSettings };
/** Opens or restricts a project; opening a restricted one needs an Admin. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setProjectAccessMode: { readonly input: {
readonly id: number;
readonly body: SetProjectAccessModeBody;
}; readonly answer: undefined };
/** Moves a query into a folder of its project, or out of all. Needs the Editor role or above. API keys need the Execute scope. */
readonly setQueryFolder: { readonly input: {
readonly id: number;
readonly body: SetQueryFolderBody;
}; readonly answer: Query };
/** Publishes a version of a query to AI clients, pins it to another one, or takes it back. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setQueryMcpTool: { readonly input: {
readonly id: number;
readonly body: SetQueryMcpToolBody;
}; readonly answer: QueryMcpTool };
/** Sets or takes away the token that a scan signs in with; it is never shown again. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setRepositoryToken: { readonly input: {
readonly id: number;
readonly body: SetRepositoryTokenBody;
}; readonly answer: undefined };
/** Sets how often a failed delivery is repeated by the service itself. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setRetryPolicy: { readonly input: {
readonly id: number;
readonly body: RetryPolicyInput;
}; readonly answer: RecipientSettings };
/** Hands a subscription to another user. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setSubscriptionOwner: { readonly input: {
readonly id: number;
readonly body: SetSubscriptionOwnerBody;
}; readonly answer: undefined };
/** Says within how many hours tasks are to be resolved, from the next one on. Needs the Editor role or above. API keys need the Execute scope. */
readonly setSubscriptionSla: { readonly input: {
readonly id: number;
readonly body: SetSubscriptionSlaBody;
}; readonly answer: undefined };
/** Changes the priority. Needs the Editor role or above. API keys need the Execute scope. */
readonly setTaskPriority: { readonly input: {
readonly id: number;
readonly body: SetTaskPriorityBody;
}; readonly answer: undefined };
/** Grants a user exactly these roles; those of the identity provider stay. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setUserRoles: { readonly input: {
readonly id: number;
readonly body: SetUserRolesBody;
}; readonly answer: User };
/** Where the identity provider sends the browser back to. Open to everybody. */
readonly signOnCallback: { readonly input: { readonly [name: string]: never }; readonly answer: Response };
/** Ends every session of a user. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly signUserOutEverywhere: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Silences the alerts of a data contract until a time, or ends the silence. Needs the Editor role or above. API keys need the Execute scope. */
readonly snoozeDataContract: { readonly input: {
readonly id: number;
readonly body: Snooze;
}; readonly answer: undefined };
/** Has scheduled runs tell nobody until a time, or ends that; runs and tasks go on. Needs the Editor role or above. API keys need the Execute scope. */
readonly snoozeSubscription: { readonly input: {
readonly id: number;
readonly body: Snooze;
}; readonly answer: undefined };
/** Sets a task aside until a time, or until more rows are found. Needs the Editor role or above. API keys need the Execute scope. */
readonly snoozeTask: { readonly input: {
readonly id: number;
readonly body: SnoozeTaskBody;
}; readonly answer: undefined };
/** Asks the questions of golden examples and compares what comes with what is known. Needs the Admin role. API keys need the Execute scope. */
readonly startEvalRun: { readonly input: {
readonly body: StartEvalRunBody;
}; readonly answer: EvalRun };
/** Sends the browser to the identity provider; there only while single sign-on is enabled. At most 30 in 60 s for each client address. */
readonly startSingleSignOn: { readonly input: {
/** Path under /svc where the sign-in ends; anything else: the home page. */
readonly returnUrl?: string | number;
}; readonly answer: Response };
/** Stops one of the caller's own previews, and answers when the data source has ended it. Needs the Viewer role or above. API keys need the Execute scope. */
readonly stopRun: { readonly input: {
/** A name that the caller makes up for the run, by which it can be stopped. */
readonly runKey: string;
}; readonly answer: StopRunAnswer };
/** Connects to a data source that is not saved. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly testConnection: { readonly input: {
readonly body: TestConnectionBody;
}; readonly answer: ConnectionTestResult };
/** Connects to a data source as it is saved. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly testDataSource: { readonly input: {
readonly id: number;
}; readonly answer: ConnectionTestResult };
/** Asks the language model one short question. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly testLlm: { readonly input: {
readonly body: LlmTestInput;
}; readonly answer: LlmTest };
/** Runs a subscription now, with real deliveries; the rows that it remembers stay as they are. Needs the Editor role or above. API keys need the Execute scope. */
readonly testRunSubscription: { readonly input: {
readonly id: number;
}; readonly answer: TestRunSubscriptionAnswer };
/** Has an AI actor think in the background; what it proposes becomes a plan. Needs the Editor role or above. API keys need the Execute scope. */
readonly thinkAiActor: { readonly input: {
readonly id: number;
}; readonly answer: ThinkAiActorAnswer };
/** Disables an enabled user, enables a disabled one. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly toggleUserEnabled: { readonly input: {
readonly id: number;
}; readonly answer: User };
/** Unlinks a data source from a project. Needs the Admin role. API keys need the Execute scope. */
readonly unlinkProjectDataSource: { readonly input: {
readonly id: number;
readonly dataSourceId: number;
}; readonly answer: undefined };
/** No longer tells the caller of a task. Needs the Viewer role or above. */
readonly unwatchTask: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Changes settings: absent ones stay, null goes back to the configuration. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateAdminSettings: { readonly input: {
readonly body: AdminSettingsInput;
}; readonly answer: AdminSettings };
/** Changes a data source; a changed connection needs its secrets again. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly updateDataSource: { readonly input: {
readonly id: number;
readonly body: UpdateDataSourceBody;
}; readonly answer: DataSource };
/** Changes settings of MCP in one project; null inherits, what is left out stays. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateMcpProjectSettings: { readonly input: {
readonly projectId: number;
readonly body: UpdateMcpProjectSettingsBody;
}; readonly answer: McpProjectSettings };
/** Changes settings of MCP for all projects; what is left out stays. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateMcpSettings: { readonly input: {
readonly body: UpdateMcpSettingsBody;
}; readonly answer: McpSettings };
/** Replaces a job; what runs goes on as it began. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly updateMigrationJob: { readonly input: {
readonly id: number;
readonly body: MigrationJobInput;
}; readonly answer: MigrationJob };
/** Changes name or description of a project. Needs the Editor role or above. API keys need the Execute scope. */
readonly updateProject: { readonly input: {
readonly id: number;
readonly body: UpdateProjectBody;
}; readonly answer: Project };
/** Replaces the definition of a query. Needs the Editor role or above. API keys need the Execute scope. */
readonly updateQuery: { readonly input: {
readonly id: number;
readonly body: UpdateQueryBody;
}; readonly answer: Query };
/** Changes a recipient. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateRecipient: { readonly input: {
readonly id: number;
readonly body: RecipientInput;
}; readonly answer: Recipient };
/** Renames one of the caller's saved views, or replaces what it shows. Open to everybody. */
readonly updateSavedView: { readonly input: {
readonly id: number;
readonly body: UpdateSavedViewBody;
}; readonly answer: SavedView };
/** Changes what a subscription tells and how; its query and its schedule stay. Needs the Editor role or above. API keys need the Execute scope. */
readonly updateSubscription: { readonly input: {
readonly id: number;
readonly body: SubscriptionChange;
}; readonly answer: Subscription };
/** Changes a user; what is absent stays, an empty value clears. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly updateUser: { readonly input: {
readonly id: number;
readonly body: UserInput;
}; readonly answer: User };
/** Changes what the caller is called, which notices they get by mail, and how they see the pages; what is absent stays. Open to everybody. */
readonly updateUserSettings: { readonly input: {
readonly body: UpdateUserSettingsBody;
}; readonly answer: UserSettings };
/** Puts a file into the first of the folders that data sources may read; the body is its bytes. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly uploadDataFile: { readonly input: {
/** Name without a folder; it ends in .csv, .tsv, .parquet, .json, .jsonl, .ndjson, .xlsx, .duckdb, .sqlite, .sqlite3 or .db. */
readonly name: string | number;
readonly body: FileBody;
}; readonly answer: DataFile };
/** Adds a Markdown, text or HTML document to a project; the body is its bytes. Needs the Editor role or above. API keys need the Execute scope. */
readonly uploadImportedDocument: { readonly input: {
readonly id: number;
/** Name without a folder; it ends in .md, .markdown, .txt, .html or .htm. */
readonly name: string | number;
readonly body: FileBody;
}; readonly answer: ImportedDocumentItem };
/** Tells what a copy would meet at both sides; writes nothing. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly validateMigrationJob: { readonly input: {
readonly id: number;
}; readonly answer: MigrationValidation };
/** Says that a relationship holds, or takes that back. Needs the Editor role or above. API keys need the Execute scope. */
readonly verifyRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
readonly body: VerifyRelationshipBody;
}; readonly answer: Relationship };
/** Has the caller told of what happens to a task. Needs the Viewer role or above. */
readonly watchTask: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the acknowledgement of the alert of a subscription: reminders continue. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawAcknowledgement: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Takes a plan back before it is decided. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawAiPlan: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Takes back a change of the caller, so that what was approved holds again. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly withdrawChange: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the acknowledgement of the alert of a data contract: reminders continue. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawContractAcknowledgement: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the caller's own version that waits for approval. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawQueryVersion: { readonly input: {
readonly id: number;
readonly versionId: number;
}; readonly answer: Query };
/** Writes a section by hand. Needs the Editor role or above. API keys need the Execute scope. */
readonly writeDocumentation: { readonly input: {
readonly id: number;
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly body: WriteDocumentationBody;
}; readonly answer: DocumentationSection };
};

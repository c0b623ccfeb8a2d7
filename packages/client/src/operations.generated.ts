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
/** Stores proposed relationships. Needs the Editor role or above. API keys need the Execute scope. */
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
/** Attaches existing recipients to a data contract. Needs the Editor role or above. API keys need the Execute scope. */
readonly addDataContractRecipients: { readonly input: {
readonly id: number;
readonly body: AddDataContractRecipientsBody;
}; readonly answer: DataContract };
/** Adds a user to a project, by user id or user name. Needs the Editor role or above or the UserAdmin permission. API keys need the Execute scope. */
readonly addProjectMember: { readonly input: {
readonly id: number;
readonly body: AddProjectMemberBody;
}; readonly answer: ProjectMember };
/** Adds a repository to a project; the first scan reads it. Needs the Editor role or above. API keys need the Execute scope. */
readonly addRepository: { readonly input: {
readonly id: number;
readonly body: AddRepositoryBody;
}; readonly answer: Repository };
/** Attaches existing recipients to a subscription. Needs the Editor role or above. API keys need the Execute scope. */
readonly addSubscriptionRecipients: { readonly input: {
readonly id: number;
readonly body: AddSubscriptionRecipientsBody;
}; readonly answer: Subscription };
/** Comments on a task. Needs the Editor role or above. API keys need the Execute scope. */
readonly addTaskComment: { readonly input: {
readonly id: number;
readonly body: AddTaskCommentBody;
}; readonly answer: AddTaskCommentAnswer };
/** Applies a plan once, record by record, with the rights of the caller. Needs the Editor role or above. API keys need the Execute scope. */
readonly applyDefinitions: { readonly input: {
readonly body: ApplyDefinitionsBody;
}; readonly answer: ApplyDefinitionsAnswer };
/** Appends a patch to its section and creates a new version of the documentation. Needs the Editor role or above. API keys need the Execute scope. */
readonly applyDocumentationPatch: { readonly input: {
readonly id: number;
readonly body: ApplyDocumentationPatchBody;
}; readonly answer: DocumentationPatch };
/** Applies a plan, or some of its actions, as the owner of the actor. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly approveAiPlan: { readonly input: {
readonly id: number;
readonly body: ApproveAiPlanBody;
}; readonly answer: AiPlan };
/** Approves a change by another user. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly approveChange: { readonly input: {
readonly id: number;
readonly body: ApproveChangeInput;
}; readonly answer: undefined };
/** Approves a definition that another user proposed; runs use it from then on. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly approveQuery: { readonly input: {
readonly id: number;
readonly body: ApproveQueryBody;
}; readonly answer: undefined };
/** Archives an AI actor; its queries, subscriptions and contracts remain, and its pending plan expires. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveAiActor: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a data contract; its schedule stops and its history remains. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveDataContract: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a data source that no query uses. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly archiveDataSource: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a job that is not running; its history remains. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly archiveMigrationJob: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a project with everything in it. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveProject: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a subscription; its schedule stops and its history remains. Needs the Editor role or above. API keys need the Execute scope. */
readonly archiveSubscription: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Archives a user permanently: the user can no longer sign in, and the user's keys no longer work. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly archiveUser: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Asks a question about the data; a background job computes the answer. Needs the Viewer role or above. API keys need the Execute scope. */
readonly askQuestion: { readonly input: {
readonly id: number;
readonly body: AskQuestionBody;
}; readonly answer: Answer };
/** Assigns a task. Needs the Editor role or above. API keys need the Execute scope. */
readonly assignTask: { readonly input: {
readonly id: number;
readonly body: AssignTaskBody;
}; readonly answer: undefined };
/** MCP over Streamable HTTP, stateless; revisions 2026-07-28, 2025-11-25 and earlier. API keys need the Execute scope. */
readonly callMcp: { readonly input: { readonly [name: string]: never }; readonly answer: CallMcpAnswer };
/** Cancels the work on an answer. Needs the Viewer role or above. API keys need the Execute scope. */
readonly cancelAnswer: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Cancels a running generation; sections that it has written remain. Needs the Editor role or above. API keys need the Execute scope. */
readonly cancelDocumentation: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Cancels an evaluation; its results so far remain. Needs the Admin role. API keys need the Execute scope. */
readonly cancelEvalRun: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Cancels a copy and rolls it back, unless it has already committed. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly cancelMigrationExecution: { readonly input: {
readonly id: number;
}; readonly answer: CancelMigrationExecutionAnswer };
/** Changes the slug of a record. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeDefinitionSlug: { readonly input: {
readonly kind: "DataSource" | "Recipient" | "MigrationJob" | "Project" | "Query" | "Contract" | "Subscription";
readonly id: number;
readonly body: ChangeDefinitionSlugBody;
}; readonly answer: DefinitionObject };
/** Changes the caller's own password; all other sessions end, and this session gets a new cookie. At most 10 in 60 s for each user. */
readonly changePassword: { readonly input: {
readonly body: ChangePasswordBody;
}; readonly answer: undefined };
/** Changes the role of a member. Needs the Editor role or above or the UserAdmin permission. API keys need the Execute scope. */
readonly changeProjectMember: { readonly input: {
readonly id: number;
readonly userId: number;
readonly body: ChangeProjectMemberBody;
}; readonly answer: ProjectMember };
/** Renames a folder, or moves it with its contents. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeQueryFolder: { readonly input: {
readonly id: number;
readonly body: ChangeQueryFolderBody;
}; readonly answer: QueryFolder };
/** Changes the label and cardinality of a relationship; its ends do not change. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
readonly body: ChangeRelationshipBody;
}; readonly answer: Relationship };
/** Changes the address or branch of a repository; another scheme, host or port removes the token. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeRepository: { readonly input: {
readonly id: number;
readonly body: ChangeRepositoryBody;
}; readonly answer: Repository };
/** Applies one action to several subscriptions, each independently. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeSubscriptions: { readonly input: {
readonly body: ChangeSubscriptionsBody;
}; readonly answer: SubscriptionBulkResult };
/** Applies one action to several tasks, each independently. Needs the Editor role or above. API keys need the Execute scope. */
readonly changeTasks: { readonly input: {
readonly body: ChangeTasksBody;
}; readonly answer: TaskBulkResult };
/** Evaluates rules of a draft within 30 seconds and stores nothing. Needs the Editor role or above. API keys need the Execute scope. */
readonly checkContractRules: { readonly input: {
readonly body: CheckContractRulesBody;
}; readonly answer: CheckContractRulesAnswer };
/** Counts values of the source end that are missing in the target end. Needs the Viewer role or above. API keys need the Execute scope. */
readonly checkRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
}; readonly answer: CheckRelationshipAnswer };
/** Closes a connection. Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly closeHub: { readonly input: {
/** The connection token of the negotiation. */
readonly id?: string | number;
}; readonly answer: undefined };
/** Runs both definitions and returns the masked rows that differ. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly compareApproval: { readonly input: {
readonly id: number;
readonly body: CompareApprovalBody;
}; readonly answer: ResultComparison };
/** Compares two evaluations by question. Needs the Admin role. API keys need the Read scope. */
readonly compareEvalRuns: { readonly input: {
readonly id: number;
readonly with: number;
}; readonly answer: EvalComparison };
/** Opens the connection: a WebSocket, a stream of server-sent events, or one poll of long polling. Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly connectHub: { readonly input: {
/** The connection token of the negotiation. */
readonly id?: string | number;
}; readonly answer: Response };
/** Creates an AI actor that the caller owns. Needs the Editor role or above. API keys need the Execute scope. */
readonly createAiActor: { readonly input: {
readonly body: AiActorInput;
}; readonly answer: AiActor };
/** Creates a key; only this response contains the key. Needs the Viewer role or above. */
readonly createApiKey: { readonly input: {
readonly body: ApiKeyInput;
}; readonly answer: NewApiKey };
/** Starts a conversation about the data of a project. Needs the Viewer role or above. API keys need the Execute scope. */
readonly createConversation: { readonly input: {
readonly body: CreateConversationBody;
}; readonly answer: Conversation };
/** Creates a data contract: a set of rules for one table. Needs the Editor role or above. API keys need the Execute scope. */
readonly createDataContract: { readonly input: {
readonly body: DataContractInput;
}; readonly answer: DataContract };
/** Creates a data source. The connection is tested once; the data source is saved even if its server does not answer. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
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
/** Creates a job; does not copy anything yet. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
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
/** Creates a folder of queries in a project. Needs the Editor role or above. API keys need the Execute scope. */
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
/** Saves the filters and the sort order of a list, for the caller only. Open to everybody. */
readonly createSavedView: { readonly input: {
readonly body: CreateSavedViewBody;
}; readonly answer: SavedView };
/** Creates a signing secret for a webhook; the previous secret also signs until it is removed. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly createSigningSecret: { readonly input: {
readonly id: number;
}; readonly answer: CreateSigningSecretAnswer };
/** Subscribes recipients to a query on a schedule. Needs the Editor role or above. API keys need the Execute scope. */
readonly createSubscription: { readonly input: {
readonly body: SubscriptionInput;
}; readonly answer: Subscription };
/** Creates the first administrator and closes the setup permanently. At most 10 in 60 s for each client address. */
readonly createSuperAdmin: { readonly input: {
readonly body: SetupRequest;
}; readonly answer: User };
/** Approves or rejects a pattern; clients and models receive approved patterns. Needs the Editor role or above. API keys need the Execute scope. */
readonly decideLearnedPattern: { readonly input: {
readonly id: number;
readonly body: DecideLearnedPatternBody;
}; readonly answer: LearnedPattern };
/** Deletes a conversation with its answers; Admins can still read the feedback on them. Needs the Viewer role or above. API keys need the Execute scope. */
readonly deleteConversation: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Deletes the schedule of a project; its evaluations remain. Needs the Admin role. API keys need the Execute scope. */
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
/** Deletes a folder without deleting queries. Needs the Editor role or above. API keys need the Execute scope. */
readonly deleteQueryFolder: { readonly input: {
readonly id: number;
/** Moves the contents to the parent folder. Default false: only an empty folder can be deleted. */
readonly moveContents?: boolean;
}; readonly answer: undefined };
/** Archives an unused recipient. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly deleteRecipient: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Deletes a relationship; refreshes and proposals do not restore it. Needs the Editor role or above. API keys need the Execute scope. */
readonly deleteRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
}; readonly answer: undefined };
/** Deletes one of the caller's saved views. Open to everybody. */
readonly deleteSavedView: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Differences between two versions of a query. Needs the Viewer role or above. API keys need the Read scope. */
readonly diffQueryVersions: { readonly input: {
readonly from: number;
readonly to: number;
}; readonly answer: QueryVersionDiff };
/** Proposes relationships from the names of tables and columns; stores nothing. Needs the Viewer role or above. API keys need the Execute scope. */
readonly discoverRelationships: { readonly input: {
readonly id: number;
}; readonly answer: DiscoverRelationshipsAnswer };
/** Dismisses a candidate. Needs the Admin role. API keys need the Execute scope. */
readonly dismissCandidate: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Discards the generated proposal for a section that a user wrote. Needs the Editor role or above. API keys need the Execute scope. */
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
/** Evaluates a data contract now and notifies no recipients. Needs the Editor role or above. API keys need the Execute scope. */
readonly evaluateDataContract: { readonly input: {
readonly id: number;
}; readonly answer: EvaluateDataContractAnswer };
/** Has a language model explain the rows of an answer; the model receives masked rows. Needs the Viewer role or above. API keys need the Execute scope. */
readonly explainAnswer: { readonly input: {
readonly id: number;
}; readonly answer: AnswerExplanation };
/** Current rights of any key, with the rule that decides each. Needs the Admin role or the Auditor permission or the UserAdmin permission. */
readonly explainAnyApiKey: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyExplanation };
/** Current rights of one of the caller's own keys, with the rule that decides each. Open to everybody. */
readonly explainApiKey: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyExplanation };
/** Requests the execution plan of each step from its engine; executes nothing. Needs the Editor role or above. API keys need the Execute scope. */
readonly explainDraft: { readonly input: {
readonly body: DraftBody;
}; readonly answer: QueryPlans };
/** All matching events as a CSV file, oldest first; the audit log also records the export. Needs the Admin role or the Auditor permission. API keys need the Read scope. */
readonly exportAudit: { readonly input: {
/** Part of the event, of the actor's or the subject's name, of the address or of the detail. */
readonly search?: string | number;
/** Start of the time range. Default: 93 days before `to`, which is also the longest range. */
readonly from?: string | number;
/** End of the time range. Default: now. */
readonly to?: string | number;
/** An event, or a family of events such as `keys`. */
readonly event?: string | number;
readonly actorKind?: "user" | "api_key" | "mcp_caller" | "ai_actor" | "system" | "anonymous";
readonly userId?: number;
readonly apiKeyId?: number;
readonly projectId?: number;
/** Kind of the subject, e.g. `api_key`, `user`, `project`. */
readonly subjectKind?: string | number;
readonly subjectId?: number;
/** Events of one request. */
readonly traceId?: string | number;
}; readonly answer: Response };
/** A data contract as a document of the Open Data Contract Standard 3.1.0. Needs the Viewer role or above. API keys need the Read scope. */
readonly exportDataContract: { readonly input: {
readonly id: number;
}; readonly answer: Response };
/** Exports records as YAML files without secrets, one file for each record. Needs the Viewer role or above. API keys need the Execute scope. */
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
/** Runs a saved query and streams its complete masked result as a file. Needs the Viewer role or above. API keys need the Execute scope. */
readonly exportQuery: { readonly input: {
readonly id: number;
readonly body: ExportQueryBody;
}; readonly answer: Response };
/** Front-channel sign-out of the identity provider. Open to everybody. */
readonly frontChannelLogout: { readonly input: {
readonly sid?: string | number;
readonly iss?: string | number;
}; readonly answer: Response };
/** Generates the sections again from the records of the project; text of users does not change. Needs the Editor role or above. API keys need the Execute scope. */
readonly generateDocumentation: { readonly input: {
readonly id: number;
/** Whether a language model describes the tables, from their names, types, keys and comments. Default: true if a model is configured. */
readonly model?: boolean;
}; readonly answer: GenerateDocumentationAnswer };
/** Settings that can change at run time, with the history of their changes. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getAdminSettings: { readonly input: { readonly [name: string]: never }; readonly answer: AdminSettings };
/** Reads an AI actor with its queries. Needs the Viewer role or above. API keys need the Read scope. */
readonly getAiActor: { readonly input: {
readonly id: number;
}; readonly answer: AiActor };
/** Reads a plan with its actions and the recipients that would be notified. Needs the Viewer role or above or the Approver permission. API keys need the Read scope. */
readonly getAiPlan: { readonly input: {
readonly id: number;
}; readonly answer: AiPlan };
/** Row counts of a subscription, with the expected range and the anomalies. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getAnomalyChart: { readonly input: {
readonly id: number;
/** Days of history. Default 30. */
readonly days?: number;
}; readonly answer: AnomalyChart };
/** Reads an answer in its current state. Needs the Viewer role or above. API keys need the Read scope. */
readonly getAnswer: { readonly input: {
readonly id: number;
}; readonly answer: Answer };
/** Returns a token and sets its cookie; a browser sends the token as X-XSRF-TOKEN. Open to everybody. */
readonly getAntiforgeryToken: { readonly input: { readonly [name: string]: never }; readonly answer: GetAntiforgeryTokenAnswer };
/** Uses of any key in the last 30 days, by route and by day. Needs the Admin role or the Auditor permission or the UserAdmin permission. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getAnyApiKeyUses: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyUses };
/** Uses of one of the caller's own keys in the last 30 days, by route and by day. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getApiKeyUses: { readonly input: {
readonly id: number;
}; readonly answer: ApiKeyUses };
/** One request about a query, with both definitions and the affected subscriptions. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly getApproval: { readonly input: {
readonly id: number;
}; readonly answer: QueryApproval };
/** One request about a recipient, with the state before and after the change. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly getChange: { readonly input: {
readonly id: number;
}; readonly answer: ChangeDetail };
/** One evaluation with the result of each rule and sample rows that broke it. Needs the Viewer role or above. API keys need the Read scope. */
readonly getContractEvaluation: { readonly input: {
readonly id: number;
readonly evaluationId: number;
}; readonly answer: ContractEvaluationDetail };
/** Reads a conversation with its questions, oldest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly getConversation: { readonly input: {
readonly id: number;
}; readonly answer: GetConversationAnswer };
/** The current session, if one exists. Open to everybody. */
readonly getCurrentUser: { readonly input: { readonly [name: string]: never }; readonly answer: CurrentUser };
/** One data contract with its rules. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDataContract: { readonly input: {
readonly id: number;
}; readonly answer: DataContract };
/** State of the data contracts of the readable projects. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getDataQualityOverview: { readonly input: { readonly [name: string]: never }; readonly answer: DataQualityOverview };
/** Reads a data source. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDataSource: { readonly input: {
readonly id: number;
}; readonly answer: DataSource };
/** Reads the stored tables of a data source; if none are stored, reads them from the source. Needs the Viewer role or above. API keys need the Execute scope. */
readonly getDataSourceMetadata: { readonly input: {
readonly id: number;
}; readonly answer: DataSourceMetadata };
/** The slug of a record and the manager that applied it from a file. Needs the Viewer role or above or the SecurityAdmin permission or the DataSourceAdmin permission or the Auditor permission or the MigrationOperator permission. API keys need the Read scope. */
readonly getDefinitionObject: { readonly input: {
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
readonly id: number;
}; readonly answer: DefinitionObject };
/** JSON Schemas of the files, by the kind of record. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDefinitionSchemas: { readonly input: { readonly [name: string]: never }; readonly answer: GetDefinitionSchemasAnswer };
/** The documentation of a project, by section. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDocumentation: { readonly input: {
readonly id: number;
}; readonly answer: GetDocumentationAnswer };
/** Reads the sections that a version changed, before and after the change. Needs the Viewer role or above. API keys need the Read scope. */
readonly getDocumentationVersion: { readonly input: {
readonly id: number;
readonly number: number;
}; readonly answer: DocumentationVersionDetail };
/** Reads an evaluation in its current state. Needs the Admin role. API keys need the Read scope. */
readonly getEvalRun: { readonly input: {
readonly id: number;
}; readonly answer: EvalRun };
/** Completed steps towards a first alert, from the records that the caller can read. Needs the Viewer role or above. API keys need the Read scope. */
readonly getFirstSteps: { readonly input: { readonly [name: string]: never }; readonly answer: FirstSteps };
/** Reads one term of the glossary. Needs the Admin role. API keys need the Read scope. */
readonly getGlossaryTerm: { readonly input: {
readonly id: number;
}; readonly answer: GlossaryTerm };
/** Reads one golden example. Needs the Admin role. API keys need the Read scope. */
readonly getGoldenExample: { readonly input: {
readonly id: number;
}; readonly answer: GoldenExample };
/** Reports whether the metadata database answers within 5 seconds. Open to everybody. */
readonly getHealth: { readonly input: { readonly [name: string]: never }; readonly answer: GetHealthAnswer };
/** Events of the last 30 days that the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeActivity: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: GetHomeActivityAnswer };
/** Numbers of records that the caller can read, and the availability of processes that run jobs. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeKpis: { readonly input: { readonly [name: string]: never }; readonly answer: HomeKpis };
/** Numbers of open, assigned, overdue and snoozed tasks in the readable projects. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeTaskSummary: { readonly input: { readonly [name: string]: never }; readonly answer: TaskSummary };
/** Runs that the caller may see, by day, with the figures of the previous days. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeTrends: { readonly input: {
/** Number of days, including today; default 30. */
readonly days?: number;
}; readonly answer: HomeTrends };
/** Results of the scheduled runs that the caller may see, by hour. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getHomeUptime: { readonly input: {
/** Number of hours, including the current hour; default 24. */
readonly hours?: number;
}; readonly answer: HomeUptime };
/** A document with its text. Needs the Viewer role or above. API keys need the Read scope. */
readonly getImportedDocument: { readonly input: {
readonly id: number;
readonly documentId: number;
}; readonly answer: ImportedDocument };
/** The host's own inbox, as the destination of a webhook; null if the host has none. Needs the Admin role or the SecurityAdmin permission. API keys need the Read scope. */
readonly getInbox: { readonly input: { readonly [name: string]: never }; readonly answer: GetInboxAnswer };
/** The newest stored rows of a query that the caller may see. Needs the Viewer role or above. API keys need the Read scope. */
readonly getLastResult: { readonly input: {
readonly id: number;
/** Only runs of this subscription. */
readonly subscriptionId?: number;
/** Only runs that ended while this task was open. A task that the caller cannot read gets the same response as a missing task: no rows. */
readonly taskId?: number;
}; readonly answer: GetLastResultAnswer };
/** Reads one learned pattern. Needs the Viewer role or above. API keys need the Read scope. */
readonly getLearnedPattern: { readonly input: {
readonly id: number;
}; readonly answer: LearnedPattern };
/** Statistics of statements and learned patterns in projects that the caller can read. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getLearningStats: { readonly input: {
readonly projectId?: number;
}; readonly answer: LearningStats };
/** Reads the prompt and the answer of a call, if `Svc:LLM:KeepsContent` stored them. Needs the Admin role. API keys need the Read scope. */
readonly getLlmCallContent: { readonly input: {
readonly id: number;
}; readonly answer: LlmCallContent };
/** Reports whether the language model is available now. Needs the Viewer role or above. API keys need the Read scope. */
readonly getLlmStatus: { readonly input: { readonly [name: string]: never }; readonly answer: LlmStatus };
/** Reports the tokens and costs of calls to the language model. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getLlmUsage: { readonly input: {
/** First day, in UTC; default 29 days before `to`. */
readonly from?: string | number;
/** Last day, in UTC; default today. The time range is at most 400 days. */
readonly to?: string | number;
/** Default `Day`. */
readonly by?: "Day" | "Purpose" | "User" | "Project" | "Model";
}; readonly answer: LlmUsage };
/** Information about a project for AI clients, as one text. Needs the Viewer role or above. API keys need the Execute scope. */
readonly getMcpContext: { readonly input: {
readonly id: number;
}; readonly answer: GetMcpContextAnswer };
/** MCP settings of one project. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getMcpProjectSettings: { readonly input: {
readonly projectId: number;
}; readonly answer: McpProjectSettings };
/** MCP settings for all projects. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getMcpSettings: { readonly input: { readonly [name: string]: never }; readonly answer: McpSettings };
/** Reads a copy with its progress. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly getMigrationExecution: { readonly input: {
readonly id: number;
}; readonly answer: MigrationExecution };
/** Reads a job. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly getMigrationJob: { readonly input: {
readonly id: number;
}; readonly answer: MigrationJob };
/** Figures of data migration; zeros while data migration is off. Needs the Viewer role or above or the MigrationOperator permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getMigrationSummary: { readonly input: { readonly [name: string]: never }; readonly answer: MigrationSummary };
/** One run, with its deliveries and stored results. Needs the Viewer role or above. API keys need the Read scope. */
readonly getNotification: { readonly input: {
readonly id: number;
}; readonly answer: NotificationDetail };
/** Reports the tokens and costs of calls to the language model for the caller. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getOwnLlmUsage: { readonly input: {
/** Number of days up to today; default 30. */
readonly days?: number;
}; readonly answer: LlmOwnUsage };
/** Permissions of the caller. API keys need the Read scope. */
readonly getPermissions: { readonly input: { readonly [name: string]: never }; readonly answer: Permissions };
/** Reads a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly getProject: { readonly input: {
readonly id: number;
}; readonly answer: Project };
/** Protected-resource metadata of the MCP endpoint (RFC 9728). Open to everybody. */
readonly getProtectedResource: { readonly input: { readonly [name: string]: never }; readonly answer: GetProtectedResourceAnswer };
/** The same metadata, at the path that RFC 9728 derives from the path of the endpoint. Open to everybody. */
readonly getProtectedResourceOfMcp: { readonly input: { readonly [name: string]: never }; readonly answer: GetProtectedResourceOfMcpAnswer };
/** One query. Needs the Viewer role or above. API keys need the Read scope. */
readonly getQuery: { readonly input: {
readonly id: number;
}; readonly answer: Query };
/** One folder of queries. Needs the Viewer role or above. API keys need the Read scope. */
readonly getQueryFolder: { readonly input: {
readonly id: number;
}; readonly answer: QueryFolder };
/** The tool that a query offers to AI clients. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
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
/** Settings for messages to a recipient: signatures, retries and number format. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly getRecipientSettings: { readonly input: {
readonly id: number;
}; readonly answer: RecipientSettings };
/** Retention periods of history, with the time of the oldest data. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly getRetention: { readonly input: { readonly [name: string]: never }; readonly answer: Retention };
/** Course of a run: its cause, its timings, its deliveries and its effects on tasks. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getRunTimeline: { readonly input: {
readonly id: number;
}; readonly answer: RunTimeline };
/** Runs and evaluations of the readable projects that are due in the next 24 hours, with clashes. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getScheduleLoad: { readonly input: {
readonly projectId?: number;
readonly dataSourceId?: number;
}; readonly answer: ScheduleLoad };
/** Figures and problems of the schema of a data source. Needs the Viewer role or above. API keys need the Read scope. */
readonly getSchemaHealth: { readonly input: {
readonly id: number;
}; readonly answer: SchemaHealth };
/** The MCP server card. Open to everybody. */
readonly getServerCard: { readonly input: { readonly [name: string]: never }; readonly answer: GetServerCardAnswer };
/** The same server card, at the path that the draft of server cards recommends. Open to everybody. */
readonly getServerCardOfMcp: { readonly input: { readonly [name: string]: never }; readonly answer: GetServerCardOfMcpAnswer };
/** Reports whether the first-run setup is open. Open to everybody. */
readonly getSetupStatus: { readonly input: { readonly [name: string]: never }; readonly answer: GetSetupStatusAnswer };
/** Whether single sign-on is offered, and its label. Open to everybody. */
readonly getSignInOptions: { readonly input: { readonly [name: string]: never }; readonly answer: SignInOptions };
/** One subscription; archived subscriptions included. Needs the Viewer role or above. API keys need the Read scope. */
readonly getSubscription: { readonly input: {
readonly id: number;
}; readonly answer: Subscription };
/** One task. Needs the Viewer role or above. API keys need the Read scope. */
readonly getTask: { readonly input: {
readonly id: number;
}; readonly answer: TaskDetail };
/** Row counts of the runs that the caller may see; for a data contract, rules that did not pass. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTaskResultHistory: { readonly input: {
readonly id: number;
}; readonly answer: TaskResultHistory };
/** Health of one data contract, with its days, its last evaluations and its last messages. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTowerContract: { readonly input: {
readonly id: number;
/** Days that the figures cover, including today (UTC). Default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
}; readonly answer: TowerContractDetail };
/** Number of subscriptions and data contracts of the readable projects by health, with figures of their runs. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTowerStatistics: { readonly input: {
readonly kind?: "Subscription" | "Contract";
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the name. */
readonly search?: string | number;
/** Days that the figures cover, including today (UTC). Default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
}; readonly answer: TowerStatistics };
/** Health of one subscription, its days and its last runs. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly getTowerSubscription: { readonly input: {
readonly id: number;
/** Days that the figures cover, including today (UTC). Default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
}; readonly answer: TowerDetail };
/** One user; archived users included. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly getUser: { readonly input: {
readonly id: number;
}; readonly answer: User };
/** The caller's own account. Open to everybody. */
readonly getUserSettings: { readonly input: { readonly [name: string]: never }; readonly answer: UserSettings };
/** Stores whether an answer is right, and optionally the right statement; new feedback replaces earlier feedback. Needs the Viewer role or above. API keys need the Execute scope. */
readonly giveFeedback: { readonly input: {
readonly id: number;
readonly body: GiveFeedbackBody;
}; readonly answer: undefined };
/** Creates data contracts from a document of the Open Data Contract Standard 3.0.x or 3.1.x. Needs the Editor role or above. API keys need the Execute scope. */
readonly importDataContracts: { readonly input: {
readonly body: ImportDataContractsBody;
}; readonly answer: OdcsImport };
/** Imports the documents of a project from the operator's folders immediately. Needs the Editor role or above. API keys need the Execute scope. */
readonly importDocumentsNow: { readonly input: {
readonly id: number;
}; readonly answer: DocumentImport };
/** Adds and changes terms of the glossary from a CSV document. Needs the Admin role. API keys need the Execute scope. */
readonly importGlossary: { readonly input: {
readonly body: ImportGlossaryBody;
}; readonly answer: GlossaryImport };
/** Has a language model rewrite the text of a section according to an instruction. Needs the Editor role or above. API keys need the Execute scope. */
readonly instructDocumentation: { readonly input: {
readonly id: number;
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly body: InstructDocumentationBody;
}; readonly answer: InstructDocumentationAnswer };
/** Starts learning from the use of the data of a project now. Needs the Editor role or above. API keys need the Execute scope. */
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
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly status?: "Pending" | "Applied" | "Rejected" | "Withdrawn" | "RevisionRequested" | "Expired";
}; readonly answer: ListAiActorPlansAnswer };
/** AI actors of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listAiActors: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of a name. */
readonly search?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
readonly state?: "Draft" | "Active" | "Paused" | "Failed" | "Archived";
}; readonly answer: ListAiActorsAnswer };
/** Plans of the AI actors of the readable projects, newest first; Approvers can read all plans. Needs the Viewer role or above or the Approver permission. API keys need the Read scope. */
readonly listAiPlans: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly status?: "Pending" | "Applied" | "Rejected" | "Withdrawn" | "RevisionRequested" | "Expired";
}; readonly answer: ListAiPlansAnswer };
/** Thinks of an AI actor, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listAiThinks: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListAiThinksAnswer };
/** Keys of all users, newest first. Needs the Admin role or the Auditor permission or the UserAdmin permission. */
readonly listAllApiKeys: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly userId?: number;
}; readonly answer: ListAllApiKeysAnswer };
/** The caller's own keys, newest first. Open to everybody. */
readonly listApiKeys: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListApiKeysAnswer };
/** Security events and calls of AI clients, newest first; the audit log also records this request. Needs the Admin role or the Auditor permission. API keys need the Read scope. */
readonly listAudit: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the event, of the actor's or the subject's name, of the address or of the detail. */
readonly search?: string | number;
/** Start of the time range. Default: 93 days before `to`, which is also the longest range. */
readonly from?: string | number;
/** End of the time range. Default: now. */
readonly to?: string | number;
/** An event, or a family of events such as `keys`. */
readonly event?: string | number;
readonly actorKind?: "user" | "api_key" | "mcp_caller" | "ai_actor" | "system" | "anonymous";
readonly userId?: number;
readonly apiKeyId?: number;
readonly projectId?: number;
/** Kind of the subject, e.g. `api_key`, `user`, `project`. */
readonly subjectKind?: string | number;
readonly subjectId?: number;
/** Events of one request. */
readonly traceId?: string | number;
}; readonly answer: ListAuditAnswer };
/** Lists statements that may become golden examples. Needs the Admin role. API keys need the Read scope. */
readonly listCandidates: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
/** Default `Proposed`. */
readonly state?: "Proposed" | "Promoted" | "Dismissed";
}; readonly answer: ListCandidatesAnswer };
/** Approval requests of every kind and status. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly listChanges: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly status?: "Pending" | "Approved" | "Rejected" | "Withdrawn";
readonly kind?: "Recipient" | "Query" | "Plan";
/** Part of the name of the changed record. */
readonly search?: string | number;
}; readonly answer: ListChangesAnswer };
/** Lines of the code of a project that contain names of tables of its data sources. Needs the Viewer role or above. API keys need the Read scope. */
readonly listCodeReferences: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of path, table or line. */
readonly search?: string | number;
readonly repositoryId?: number;
/** Name of a table. Upper and lower case count as equal. */
readonly table?: string | number;
readonly kind?: "RawSql" | "Model" | "Migration" | "Other";
}; readonly answer: ListCodeReferencesAnswer };
/** Evaluations of a data contract, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listContractEvaluations: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly status?: "Queued" | "Running" | "Passed" | "Warned" | "Failed" | "Error";
}; readonly answer: ListContractEvaluationsAnswer };
/** Lists the caller's own conversations. Needs the Viewer role or above. API keys need the Read scope. */
readonly listConversations: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListConversationsAnswer };
/** Data contracts of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listDataContracts: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of a name or a table. */
readonly search?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
}; readonly answer: ListDataContractsAnswer };
/** Files in the folders that data sources may read, newest first. Needs the Admin role or the DataSourceAdmin permission. API keys need the Read scope. */
readonly listDataFiles: { readonly input: { readonly [name: string]: never }; readonly answer: ListDataFilesAnswer };
/** Lists the available engines and the settings of their connections. Needs the Admin role or the DataSourceAdmin permission. API keys need the Read scope. */
readonly listDataSourceEngines: { readonly input: { readonly [name: string]: never }; readonly answer: ListDataSourceEnginesAnswer };
/** Lists the data sources linked to a project that the caller can read. Needs the Viewer role or above or the DataSourceAdmin permission. API keys need the Read scope. */
readonly listDataSources: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. Upper and lower case count as equal. */
readonly search?: string | number;
readonly projectId?: number;
/** True: only data sources with warnings. False: only those without. Only warnings that the caller can see count. */
readonly hasWarnings?: boolean;
}; readonly answer: ListDataSourcesAnswer };
/** Lists proposed additions to the documentation from the use of data, in projects that the caller can read. Needs the Viewer role or above. API keys need the Read scope. */
readonly listDocumentationPatches: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
readonly state?: "Proposed" | "Applied" | "Rejected" | "Superseded";
}; readonly answer: ListDocumentationPatchesAnswer };
/** Lists the versions of the documentation of a project, with the sections that each changed. Needs the Viewer role or above. API keys need the Read scope. */
readonly listDocumentationVersions: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListDocumentationVersionsAnswer };
/** Lists the results of an evaluation, by question. Needs the Admin role. API keys need the Read scope. */
readonly listEvalResults: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly verdict?: "Passed" | "WrongRows" | "WrongTables" | "NotRun" | "Abstained" | "AnsweredUnanswerable" | "Harness";
}; readonly answer: ListEvalResultsAnswer };
/** Lists evaluations of the accuracy of answers. Needs the Admin role. API keys need the Read scope. */
readonly listEvalRuns: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListEvalRunsAnswer };
/** Lists the schedules of evaluations. Needs the Admin role. API keys need the Read scope. */
readonly listEvalSchedules: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListEvalSchedulesAnswer };
/** Lists feedback of users on answers. Needs the Admin role. API keys need the Read scope. */
readonly listFeedback: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
readonly verdict?: "Right" | "Wrong";
}; readonly answer: ListFeedbackAnswer };
/** Current problems that the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listFiring: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListFiringAnswer };
/** Lists the terms of the business glossary. Needs the Admin role. API keys need the Read scope. */
readonly listGlossary: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the term, a synonym or the definition. */
readonly search?: string | number;
readonly includeInactive?: boolean;
}; readonly answer: ListGlossaryAnswer };
/** Lists golden examples: questions with a known right answer. Needs the Admin role. API keys need the Read scope. */
readonly listGoldenExamples: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the question, the statement or the notes. */
readonly search?: string | number;
readonly includeInactive?: boolean;
readonly brokenOnly?: boolean;
}; readonly answer: ListGoldenExamplesAnswer };
/** Lists the imported and the uploaded documents of a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly listImportedDocuments: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of title, path or text. Upper and lower case count as equal. */
readonly search?: string | number;
}; readonly answer: ListImportedDocumentsAnswer };
/** Lists patterns that were learned from the use of data, in projects that the caller can read. Needs the Viewer role or above. API keys need the Read scope. */
readonly listLearnedPatterns: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
readonly state?: "Proposed" | "Approved" | "Rejected" | "Superseded";
readonly kind?: "SchemaCorrection" | "JoinPattern" | "CommonQuery" | "DocumentationGap" | "BusinessTerm";
/** Part of the table name. */
readonly table?: string | number;
}; readonly answer: ListLearnedPatternsAnswer };
/** Lists calls to the language model, without prompts and answers. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listLlmCalls: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListLlmCallsAnswer };
/** Projects with the names of the settings that they override, sorted by name. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listMcpProjects: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly search?: string | number;
}; readonly answer: ListMcpProjectsAnswer };
/** History of changes to MCP settings, newest first. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listMcpSettingsChanges: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
}; readonly answer: ListMcpSettingsChangesAnswer };
/** Tools that a project offers to AI clients. Needs the Viewer role or above. API keys need the Read scope. */
readonly listMcpTools: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId: number;
}; readonly answer: ListMcpToolsAnswer };
/** Lists the data sources that a job can read, and whether it may write to them. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly listMigrationDataSources: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
}; readonly answer: ListMigrationDataSourcesAnswer };
/** Lists copies and their results. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listMigrationExecutions: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly migrationJobId?: number;
readonly status?: "Queued" | "Running" | "Completed" | "PartialSuccess" | "Failed" | "Cancelled";
readonly from?: string | number;
readonly to?: string | number;
}; readonly answer: ListMigrationExecutionsAnswer };
/** Lists the data migration jobs. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly listMigrationJobs: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
}; readonly answer: ListMigrationJobsAnswer };
/** Lists the schemas and tables of a data source as of the last refresh of its metadata. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. */
readonly listMigrationTables: { readonly input: {
readonly id: number;
}; readonly answer: MigrationTables };
/** Due times whose run did not start in time or was skipped, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listMissedRuns: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListMissedRunsAnswer };
/** The caller's notices, newest first. Open to everybody. */
readonly listNotices: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly isUnread?: boolean;
}; readonly answer: ListNoticesAnswer };
/** History of runs that the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listNotifications: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly status?: "Created" | "Sent" | "Silenced" | "NoResults" | "Timeout" | "BelowThreshold" | "Failed" | "Skipped";
readonly subscriptionId?: number;
readonly contractId?: number;
readonly queryId?: number;
/** Part of the query name. */
readonly search?: string | number;
/** Runs with a message for this recipient. */
readonly recipientId?: number;
/** Runs with a due time at or after this time. */
readonly from?: string | number;
/** Runs with a due time before this time. */
readonly to?: string | number;
}; readonly answer: ListNotificationsAnswer };
/** The caller's own last runs of queries and drafts, newest first. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listOwnRuns: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly projectId?: number;
readonly queryId?: number;
}; readonly answer: ListOwnRunsAnswer };
/** Pending approval requests of every kind. Needs the Admin role or the Approver permission. API keys need the Read scope. */
readonly listPendingApprovals: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly kind?: "Recipient" | "Query" | "Plan";
/** Part of the name of the changed record. */
readonly search?: string | number;
}; readonly answer: ListPendingApprovalsAnswer };
/** Lists the data sources linked to a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly listProjectDataSources: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. Upper and lower case count as equal. */
readonly search?: string | number;
}; readonly answer: ListProjectDataSourcesAnswer };
/** Lists the members of a project. Needs the Viewer role or above or the UserAdmin permission. API keys need the Read scope. */
readonly listProjectMembers: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. Upper and lower case count as equal. */
readonly search?: string | number;
}; readonly answer: ListProjectMembersAnswer };
/** Lists the projects that the caller can read. Needs the Viewer role or above. API keys need the Read scope. */
readonly listProjects: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. Upper and lower case count as equal. */
readonly search?: string | number;
readonly dataSourceId?: number;
/** Only projects that an API key of the caller can access, without the Admin bypass. */
readonly forApiKey?: boolean;
}; readonly answer: ListProjectsAnswer };
/** Queries of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueries: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name or the description. */
readonly search?: string | number;
readonly projectId?: number;
readonly dataSourceId?: number;
/** Queries in this folder and in its subfolders. */
readonly folderId?: number;
readonly check?: "Passed" | "Failed" | "NotChecked";
}; readonly answer: ListQueriesAnswer };
/** History of a query, newest first: changes with their users and reasons. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueryChanges: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Only versions that change this step. */
readonly stepKey?: string | number;
readonly source?: "User" | "Restore" | "AiActor" | "Import";
readonly from?: string | number;
/** Only events before this time. */
readonly to?: string | number;
}; readonly answer: ListQueryChangesAnswer };
/** Folders of queries in the readable projects, in tree order. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueryFolders: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
readonly projectId?: number;
}; readonly answer: ListQueryFoldersAnswer };
/** Queries that are published to AI clients. Needs the Admin role or the Auditor permission or the SecurityAdmin permission. API keys need the Read scope. */
readonly listQueryMcpTools: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name of the tool or of the query. */
readonly search?: string | number;
readonly projectId?: number;
}; readonly answer: ListQueryMcpToolsAnswer };
/** Versions of a query, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listQueryVersions: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListQueryVersionsAnswer };
/** Results of the last delivery attempts to recipients. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listRecentDeliveries: { readonly input: {
/** Ids of recipients, separated by commas; at most 200. */
readonly recipientIds: string | number;
}; readonly answer: RecentDeliveries };
/** Statuses and row counts of the last runs of subscriptions. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listRecentRuns: { readonly input: {
/** Ids of subscriptions, separated by commas; at most 200. */
readonly subscriptionIds: string | number;
}; readonly answer: RecentRuns };
/** Subscriptions and data contracts that use a recipient and that the caller can read. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly listRecipientUses: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListRecipientUsesAnswer };
/** Recipients. Needs the Viewer role or above or the SecurityAdmin permission. API keys need the Read scope. */
readonly listRecipients: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name or the description. */
readonly search?: string | number;
readonly notificationType?: "Email" | "ChatBlocks" | "ChatCards" | "IssueTracker" | "Webhook";
}; readonly answer: ListRecipientsAnswer };
/** Lists rows that a copy could not write: only number, key, column and code of each. Needs the Admin role or the MigrationOperator permission. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listRejectedRows: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListRejectedRowsAnswer };
/** Other tasks of the same query or the same contract, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listRelatedTasks: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListRelatedTasksAnswer };
/** Lists the relationships between tables of a data source. Needs the Viewer role or above. API keys need the Read scope. */
readonly listRelationships: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of a table, column or label. */
readonly search?: string | number;
readonly origin?: "ForeignKey" | "Inferred" | "Manual";
readonly isVerified?: boolean;
/** Table at one of the ends. */
readonly table?: string | number;
}; readonly answer: ListRelationshipsAnswer };
/** Repositories with the code of a project. Needs the Viewer role or above. API keys need the Read scope. */
readonly listRepositories: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListRepositoriesAnswer };
/** Roles that users can have, highest level first. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly listRoles: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListRolesAnswer };
/** The caller's saved views of a list, by name. Open to everybody. */
readonly listSavedViews: { readonly input: {
readonly list: string | number;
}; readonly answer: ListSavedViewsAnswer };
/** Tables and columns that were added, removed or changed in type, as refreshes of the metadata detected them, newest first. Needs the Viewer role or above. API keys need the Read scope. May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not. */
readonly listSchemaChanges: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly kind?: "TableAdded" | "TableRemoved" | "ColumnAdded" | "ColumnRemoved" | "ColumnRetyped";
/** Name of a table. */
readonly table?: string | number;
}; readonly answer: ListSchemaChangesAnswer };
/** The caller's own sessions, latest sign-in first. Open to everybody. */
readonly listSessions: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListSessionsAnswer };
/** Roles of the service; anonymous access only while setup is open. Open to everybody. */
readonly listSetupRoles: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListSetupRolesAnswer };
/** Row routes of a subscription, for callers who may change them; empty without row routing. Needs the Editor role or above. API keys need the Execute scope. */
readonly listSubscriptionRoutes: { readonly input: {
readonly id: number;
}; readonly answer: SubscriptionRoutes };
/** Subscriptions of the readable projects. Needs the Viewer role or above. API keys need the Read scope. */
readonly listSubscriptions: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the query name. */
readonly search?: string | number;
readonly projectId?: number;
readonly queryId?: number;
readonly state?: "Active" | "Paused" | "Archived" | "All";
}; readonly answer: ListSubscriptionsAnswer };
/** Users to whom a task can be assigned, by name: users who can read its project. Needs the Viewer role or above. API keys need the Execute scope. */
readonly listTaskAssignees: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of the name. */
readonly search?: string | number;
}; readonly answer: ListTaskAssigneesAnswer };
/** Comments, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTaskComments: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListTaskCommentsAnswer };
/** Events of a task, including comments, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTaskEvents: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListTaskEventsAnswer };
/** Runs of the same subscription, or evaluations of the same contract, that the caller may see, newest first. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTaskExecutions: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListTaskExecutionsAnswer };
/** Tasks of the readable projects; the state `Open` excludes snoozed tasks. Needs the Viewer role or above. API keys need the Read scope. */
readonly listTasks: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
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
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
readonly kind?: "Subscription" | "Contract";
readonly projectId?: number;
readonly dataSourceId?: number;
/** Part of the name. */
readonly search?: string | number;
/** Days that the figures cover, including today (UTC). Default 7. */
readonly timeRangeDays?: 1 | 7 | 30 | 90;
readonly health?: "Stalled" | "Critical" | "Warning" | "New" | "Healthy";
readonly hasOpenTasks?: boolean;
}; readonly answer: ListTowerHealthAnswer };
/** Browsers in which a user is signed in, latest sign-in first. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly listUserSessions: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
}; readonly answer: ListUserSessionsAnswer };
/** Users. Needs the Admin role or the UserAdmin permission. API keys need the Read scope. */
readonly listUsers: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** Property names, separated by commas. A leading "-" means descending order. */
readonly sort?: string | number;
/** Part of user name, email or display name. */
readonly search?: string | number;
readonly includeArchived?: boolean;
readonly role?: "Viewer" | "Editor" | "Admin" | "UserAdmin" | "SecurityAdmin" | "DataSourceAdmin" | "Auditor" | "Approver" | "MigrationOperator";
/** True: only users who may sign in. False: only users who may not. */
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
/** Moves several queries of one project into one of its folders, or out of their folders; moves all or none. Needs the Editor role or above. API keys need the Execute scope. */
readonly moveQueries: { readonly input: {
readonly body: MoveQueriesBody;
}; readonly answer: MoveQueriesAnswer };
/** Starts a connection to the realtime hub (SignalR hub protocol). Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly negotiateHub: { readonly input: {
readonly negotiateVersion?: number;
}; readonly answer: HubNegotiation };
/** Pauses an active AI actor and cancels a think in progress. Needs the Editor role or above. API keys need the Execute scope. */
readonly pauseAiActor: { readonly input: {
readonly id: number;
}; readonly answer: AiActor };
/** Pauses the schedule of a subscription until it is resumed; manual runs remain possible. Needs the Editor role or above. API keys need the Execute scope. */
readonly pauseSubscription: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Returns the changes that applying the files would make, and changes nothing. Needs the Editor role or above. API keys need the Execute scope. */
readonly planDefinitions: { readonly input: {
readonly body: PlanDefinitionsBody;
}; readonly answer: DefinitionPlan };
/** Checks a draft gate by gate without running it; the engine only returns its plan. Needs the Editor role or above. API keys need the Execute scope. */
readonly preflightDraft: { readonly input: {
readonly body: DraftBody;
}; readonly answer: Preflight };
/** Shows how the settings read a file, before a data source is saved. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly previewDataFile: { readonly input: {
readonly body: PreviewDataFileBody;
}; readonly answer: FilePreview };
/** Runs a draft without saving it. Needs the Editor role or above. API keys need the Execute scope. */
readonly previewDraft: { readonly input: {
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** `Whole`: one response with all rows that a preview reads, and `page` and `pageSize` are ignored. A preview reads at most 10,000 rows, and fewer if they exceed 16 million characters. Default `Page`. */
readonly extent?: "Page" | "Whole";
/** Key that the client chooses for the run. A stop request uses the same key. */
readonly runKey?: string | number;
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: DraftBody;
}; readonly answer: QueryPreview };
/** Previews the message of each recipient, from the last run or a dry run; nothing is sent. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewMessages: { readonly input: {
readonly id: number;
readonly body: PreviewMessagesBody;
}; readonly answer: MessagePreview };
/** Previews a job that is not saved: columns, mapping and issues; writes nothing. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly previewMigration: { readonly input: {
readonly body: MigrationPreviewInput;
}; readonly answer: MigrationPreview };
/** Runs a saved query and returns one page of its masked result. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewQuery: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** `Whole`: one response with all rows that a preview reads, and `page` and `pageSize` are ignored. A preview reads at most 10,000 rows, and fewer if they exceed 16 million characters. Default `Page`. */
readonly extent?: "Page" | "Whole";
/** Key that the client chooses for the run. A stop request uses the same key. */
readonly runKey?: string | number;
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: PreviewQueryBody;
}; readonly answer: QueryPreview };
/** Runs one step of a saved query. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewQueryStep: { readonly input: {
readonly id: number;
readonly stepOrder: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** `Whole`: one response with all rows that a preview reads, and `page` and `pageSize` are ignored. A preview reads at most 10,000 rows, and fewer if they exceed 16 million characters. Default `Page`. */
readonly extent?: "Page" | "Whole";
/** Key that the client chooses for the run. A stop request uses the same key. */
readonly runKey?: string | number;
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: PreviewQueryStepBody;
}; readonly answer: QueryPreview };
/** Runs a version of a query and returns one page of its masked result. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewQueryVersion: { readonly input: {
readonly id: number;
/** Zero-based page number; default 0. */
readonly page?: string | number;
/** Rows per page, 1 to 200; default 20. */
readonly pageSize?: string | number;
/** `Whole`: one response with all rows that a preview reads, and `page` and `pageSize` are ignored. A preview reads at most 10,000 rows, and fewer if they exceed 16 million characters. Default `Page`. */
readonly extent?: "Page" | "Whole";
/** Key that the client chooses for the run. A stop request uses the same key. */
readonly runKey?: string | number;
/** JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53. */
readonly numbers?: "Text" | "Number";
readonly body: PreviewQueryVersionBody;
}; readonly answer: QueryPreview };
/** Describes a schedule in words and returns the next five due times. Needs the Viewer role or above. API keys need the Execute scope. */
readonly previewSchedule: { readonly input: {
readonly body: PreviewScheduleBody;
}; readonly answer: Schedule };
/** Previews a body template with a sample result; nothing is saved or sent. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly previewTemplate: { readonly input: {
readonly body: PreviewTemplateBody;
}; readonly answer: TemplatePreview };
/** Creates a golden example from a candidate; the gates of dry_run check its statement first. Needs the Admin role. API keys need the Execute scope. */
readonly promoteCandidate: { readonly input: {
readonly id: number;
readonly body: PromoteCandidateBody;
}; readonly answer: GoldenExample };
/** Reactivates an archived subscription with its schedule. Needs the Editor role or above. API keys need the Execute scope. */
readonly reactivateSubscription: { readonly input: {
readonly id: number;
}; readonly answer: Subscription };
/** Marks all of the caller's notices as read. Open to everybody. */
readonly readAllNotices: { readonly input: { readonly [name: string]: never }; readonly answer: undefined };
/** Marks a notice as read. Open to everybody. */
readonly readNotice: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Checks the targets of active terms at their data sources again, and marks broken terms. Needs the Admin role. API keys need the Execute scope. */
readonly recheckGlossary: { readonly input: {
readonly body: RecheckGlossaryBody;
}; readonly answer: GlossaryRecheck };
/** Checks active golden examples at their data sources again, and marks broken examples. Needs the Admin role. API keys need the Execute scope. */
readonly recheckGoldenExamples: { readonly input: {
readonly body: RecheckGoldenExamplesBody;
}; readonly answer: GoldenRecheck };
/** Starts a think of an AI actor with feedback; the next version replaces a pending plan. Needs the Editor role or above. API keys need the Execute scope. */
readonly refineAiActor: { readonly input: {
readonly id: number;
readonly body: RefineAiActorBody;
}; readonly answer: RefineAiActorAnswer };
/** Reads the tables of a data source again, at most once in 30 seconds. Needs the Editor role or above. API keys need the Execute scope. At most 1 in 30 s for each data source. */
readonly refreshDataSourceMetadata: { readonly input: {
readonly id: number;
}; readonly answer: DataSourceMetadata };
/** Rejects a plan. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly rejectAiPlan: { readonly input: {
readonly id: number;
readonly body: RejectAiPlanBody;
}; readonly answer: undefined };
/** Rejects a change by another user. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly rejectChange: { readonly input: {
readonly id: number;
readonly body: RejectChangeInput;
}; readonly answer: undefined };
/** Rejects a patch; the service does not propose it again. Needs the Editor role or above. API keys need the Execute scope. */
readonly rejectDocumentationPatch: { readonly input: {
readonly id: number;
}; readonly answer: DocumentationPatch };
/** Rejects a definition that another user proposed, with a reason. Needs the Admin role or the Approver permission. API keys need the Execute scope. */
readonly rejectQuery: { readonly input: {
readonly id: number;
readonly body: RejectQueryBody;
}; readonly answer: undefined };
/** Releases a record from management by files, so that users can change it again. Needs the Admin role. API keys need the Execute scope. */
readonly releaseDefinitionObject: { readonly input: {
readonly kind: "Settings" | "McpSettings" | "DataSource" | "Recipient" | "MigrationJob" | "Project" | "McpProjectSettings" | "Query" | "Contract" | "Subscription";
readonly id: number;
}; readonly answer: DefinitionObject };
/** Detaches a recipient from a data contract. Needs the Editor role or above. API keys need the Execute scope. */
readonly removeDataContractRecipient: { readonly input: {
readonly id: number;
readonly recipientId: number;
}; readonly answer: undefined };
/** Removes the previous signing secret; only the current one signs from then on. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly removePreviousSigningSecret: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Removes a member. Needs the Editor role or above or the UserAdmin permission. API keys need the Execute scope. */
readonly removeProjectMember: { readonly input: {
readonly id: number;
readonly userId: number;
}; readonly answer: undefined };
/** Removes a repository from its project, with its token and its code references. Needs the Editor role or above. API keys need the Execute scope. */
readonly removeRepository: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Removes all signing secrets; messages are no longer signed. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly removeSigningSecrets: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Detaches a recipient from a subscription. Needs the Editor role or above. API keys need the Execute scope. */
readonly removeSubscriptionRecipient: { readonly input: {
readonly id: number;
readonly recipientId: number;
}; readonly answer: undefined };
/** Opens a resolved task again. Needs the Editor role or above. API keys need the Execute scope. */
readonly reopenTask: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Changes the settings of an AI actor, except its project and its data source. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceAiActor: { readonly input: {
readonly id: number;
readonly body: AiActorChange;
}; readonly answer: AiActor };
/** Creates a key with the same name, scopes and projects; the old key expires after an overlap. Needs the Viewer role or above. */
readonly replaceApiKey: { readonly input: {
readonly id: number;
readonly body: ReplacementInput;
}; readonly answer: NewApiKey };
/** Replaces a data contract; rules with an id keep their id and results. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceDataContract: { readonly input: {
readonly id: number;
readonly body: DataContractChange;
}; readonly answer: DataContract };
/** Replaces the content of a term; its project does not change. Needs the Admin role. API keys need the Execute scope. */
readonly replaceGlossaryTerm: { readonly input: {
readonly id: number;
readonly body: GlossaryInput;
}; readonly answer: GlossaryTerm };
/** Replaces the content of a golden example; its project does not change. Needs the Admin role. API keys need the Execute scope. */
readonly replaceGoldenExample: { readonly input: {
readonly id: number;
readonly body: ReplaceGoldenExampleBody;
}; readonly answer: GoldenExample };
/** Replaces the content of an uploaded document; the body contains its bytes. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceImportedDocument: { readonly input: {
readonly id: number;
readonly documentId: number;
readonly body: FileBody;
}; readonly answer: ImportedDocumentItem };
/** Replaces a subscription by a new one with another schedule, and archives the old one. Needs the Editor role or above. API keys need the Execute scope. */
readonly replaceSubscription: { readonly input: {
readonly id: number;
readonly body: ReplaceSubscriptionBody;
}; readonly answer: Subscription };
/** Compares a pattern with the golden examples of its data source. Needs the Viewer role or above. API keys need the Execute scope. */
readonly replayLearnedPattern: { readonly input: {
readonly id: number;
}; readonly answer: PatternReplay };
/** Sends the message of one failed delivery again, unchanged. Needs the Editor role or above. API keys need the Execute scope. */
readonly resendDelivery: { readonly input: {
readonly id: number;
readonly deliveryId: number;
}; readonly answer: ResendDeliveryAnswer };
/** Sends all failed deliveries of a run again. Needs the Editor role or above. API keys need the Execute scope. */
readonly resendFailedDeliveries: { readonly input: {
readonly id: number;
readonly body: ResendFailedDeliveriesBody;
}; readonly answer: ResendFailedDeliveriesAnswer };
/** Sends all failed deliveries of a time range again, in the projects in which the caller may write. Needs the Editor role or above. API keys need the Execute scope. */
readonly resendFailedOfWindow: { readonly input: {
readonly body: ResendFailedInput;
}; readonly answer: ResendFailedOfWindowAnswer };
/** Resets the alert of a subscription: the next rows are reported as a new alert. Needs the Editor role or above. API keys need the Execute scope. */
readonly resetAlert: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Deletes the remembered rows of a subscription; the next run stores its rows again and notifies no recipients. Needs the Editor role or above. API keys need the Execute scope. */
readonly resetRowMemory: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Resolves a task; an existing resolution does not change. Needs the Editor role or above. API keys need the Execute scope. */
readonly resolveTask: { readonly input: {
readonly id: number;
readonly body: ResolveTaskBody;
}; readonly answer: undefined };
/** Restores the definition of an earlier version, as a new version. Needs the Editor role or above. API keys need the Execute scope. */
readonly restoreQueryVersion: { readonly input: {
readonly id: number;
readonly body: RestoreQueryVersionBody;
}; readonly answer: Query };
/** Activates an AI actor that is a draft, paused or failed. Needs the Editor role or above. API keys need the Execute scope. */
readonly resumeAiActor: { readonly input: {
readonly id: number;
}; readonly answer: AiActor };
/** Resumes the schedule of a paused subscription; due times during the pause are not run. Needs the Editor role or above. API keys need the Execute scope. */
readonly resumeSubscription: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Starts a failed or cancelled copy again, with the current settings of the job. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
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
/** Runs the statement of an answer again and stores its rows. Needs the Viewer role or above. API keys need the Execute scope. */
readonly runAnswer: { readonly input: {
readonly id: number;
}; readonly answer: Answer };
/** Calls a tool as an AI client would, with the caller’s own rights. Needs the Viewer role or above. API keys need the Execute scope. */
readonly runMcpTool: { readonly input: {
readonly body: RunMcpToolBody;
}; readonly answer: McpToolResult };
/** Starts a copy, or a trial copy of the first rows, which is rolled back. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly runMigrationJob: { readonly input: {
readonly id: number;
readonly body: RunMigrationJobBody;
}; readonly answer: RunMigrationJobAnswer };
/** Saves the schedule for evaluating the golden examples of a project; a drop in accuracy sends a notice. Needs the Admin role. API keys need the Execute scope. */
readonly saveEvalSchedule: { readonly input: {
readonly body: SavedSchedule;
}; readonly answer: EvalSchedule };
/** Scans the newest commit of the branch for lines that contain names of tables. Needs the Editor role or above. API keys need the Execute scope. */
readonly scanRepository: { readonly input: {
readonly id: number;
}; readonly answer: ScanRepositoryAnswer };
/** Receives records from a client whose connection only transfers data to the client. Needs the Viewer role or above or the Approver permission or the MigrationOperator permission. */
readonly sendToHub: { readonly input: {
/** The connection token of the negotiation. */
readonly id?: string | number;
}; readonly answer: undefined };
/** Assigns an AI actor to another owner. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setAiActorOwner: { readonly input: {
readonly id: number;
readonly body: SetAiActorOwnerBody;
}; readonly answer: undefined };
/** Stores a verdict on an unusual count; `Expected` adds the count to the history, `Real` excludes it. Needs the Editor role or above. API keys need the Execute scope. */
readonly setAnomalyVerdict: { readonly input: {
readonly id: number;
readonly notificationId: number;
readonly body: SetAnomalyVerdictBody;
}; readonly answer: undefined };
/** Assigns a data contract to another owner. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setDataContractOwner: { readonly input: {
readonly id: number;
readonly body: SetDataContractOwnerBody;
}; readonly answer: undefined };
/** Allows or forbids data migration to write to a data source. Needs the Admin role. API keys need the Execute scope. */
readonly setMigrationWrites: { readonly input: {
readonly id: number;
readonly body: SetMigrationWritesBody;
}; readonly answer: undefined };
/** Sets the format of large whole numbers and decimals in messages. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setNumberFormat: { readonly input: {
readonly id: number;
readonly body: SetNumberFormatBody;
}; readonly answer: RecipientSettings };
/** Opens or restricts a project; opening a restricted one needs an Admin. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setProjectAccessMode: { readonly input: {
readonly id: number;
readonly body: SetProjectAccessModeBody;
}; readonly answer: undefined };
/** Moves a query into a folder of its project, or out of its folder. Needs the Editor role or above. API keys need the Execute scope. */
readonly setQueryFolder: { readonly input: {
readonly id: number;
readonly body: SetQueryFolderBody;
}; readonly answer: Query };
/** Publishes a version of a query to AI clients, publishes another version, or unpublishes the query. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setQueryMcpTool: { readonly input: {
readonly id: number;
readonly body: SetQueryMcpToolBody;
}; readonly answer: QueryMcpTool };
/** Sets or removes the token for scans; no response contains it. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setRepositoryToken: { readonly input: {
readonly id: number;
readonly body: SetRepositoryTokenBody;
}; readonly answer: undefined };
/** Sets how often the service retries a failed delivery. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly setRetryPolicy: { readonly input: {
readonly id: number;
readonly body: RetryPolicyInput;
}; readonly answer: RecipientSettings };
/** Assigns a subscription to another owner. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setSubscriptionOwner: { readonly input: {
readonly id: number;
readonly body: SetSubscriptionOwnerBody;
}; readonly answer: undefined };
/** Sets the hours within which tasks must be resolved; applies to future tasks. Needs the Editor role or above. API keys need the Execute scope. */
readonly setSubscriptionSla: { readonly input: {
readonly id: number;
readonly body: SetSubscriptionSlaBody;
}; readonly answer: undefined };
/** Changes the priority. Needs the Editor role or above. API keys need the Execute scope. */
readonly setTaskPriority: { readonly input: {
readonly id: number;
readonly body: SetTaskPriorityBody;
}; readonly answer: undefined };
/** Replaces the granted roles of a user; roles of the identity provider do not change. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly setUserRoles: { readonly input: {
readonly id: number;
readonly body: SetUserRolesBody;
}; readonly answer: User };
/** Target of the redirect from the identity provider. Open to everybody. */
readonly signOnCallback: { readonly input: { readonly [name: string]: never }; readonly answer: Response };
/** Ends all sessions of a user. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly signUserOutEverywhere: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Silences the alerts of a data contract until a time, or ends the silence. Needs the Editor role or above. API keys need the Execute scope. */
readonly snoozeDataContract: { readonly input: {
readonly id: number;
readonly body: Snooze;
}; readonly answer: undefined };
/** Stops the notifications of scheduled runs until a time, or ends this snooze; runs and tasks continue. Needs the Editor role or above. API keys need the Execute scope. */
readonly snoozeSubscription: { readonly input: {
readonly id: number;
readonly body: Snooze;
}; readonly answer: undefined };
/** Snoozes a task until a time, or until a run returns more rows. Needs the Editor role or above. API keys need the Execute scope. */
readonly snoozeTask: { readonly input: {
readonly id: number;
readonly body: SnoozeTaskBody;
}; readonly answer: undefined };
/** Has the questions of golden examples answered, and compares the results with the right answers. Needs the Admin role. API keys need the Execute scope. */
readonly startEvalRun: { readonly input: {
readonly body: StartEvalRunBody;
}; readonly answer: EvalRun };
/** Redirects the browser to the identity provider; available only while single sign-on is enabled. At most 30 in 60 s for each client address. */
readonly startSingleSignOn: { readonly input: {
/** Path under /svc to open after the sign-in. Any other value opens the home page. */
readonly returnUrl?: string | number;
}; readonly answer: Response };
/** Stops one of the caller's own previews, and waits until the data source has ended it. Needs the Viewer role or above. API keys need the Execute scope. */
readonly stopRun: { readonly input: {
/** Key that the client chooses for the run. A stop request uses the same key. */
readonly runKey: string;
}; readonly answer: StopRunAnswer };
/** Tests a connection that is not saved. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly testConnection: { readonly input: {
readonly body: TestConnectionBody;
}; readonly answer: ConnectionTestResult };
/** Tests the saved connection of a data source. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly testDataSource: { readonly input: {
readonly id: number;
}; readonly answer: ConnectionTestResult };
/** Sends one short question to the language model. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly testLlm: { readonly input: {
readonly body: LlmTestInput;
}; readonly answer: LlmTest };
/** Runs a subscription now and sends its messages; rows that it already remembers do not change. Needs the Editor role or above. API keys need the Execute scope. */
readonly testRunSubscription: { readonly input: {
readonly id: number;
}; readonly answer: TestRunSubscriptionAnswer };
/** Starts a think of an AI actor in the background; its proposals become a plan. Needs the Editor role or above. API keys need the Execute scope. */
readonly thinkAiActor: { readonly input: {
readonly id: number;
}; readonly answer: ThinkAiActorAnswer };
/** Disables an enabled user, or enables a disabled user. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly toggleUserEnabled: { readonly input: {
readonly id: number;
}; readonly answer: User };
/** Unlinks a data source from a project. Needs the Admin role. API keys need the Execute scope. */
readonly unlinkProjectDataSource: { readonly input: {
readonly id: number;
readonly dataSourceId: number;
}; readonly answer: undefined };
/** Stops notifying the caller of events of a task. Needs the Viewer role or above. */
readonly unwatchTask: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Changes settings; absent settings do not change, and null restores the configured value. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateAdminSettings: { readonly input: {
readonly body: AdminSettingsInput;
}; readonly answer: AdminSettings };
/** Changes a data source; a changed connection needs its secrets again. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly updateDataSource: { readonly input: {
readonly id: number;
readonly body: UpdateDataSourceBody;
}; readonly answer: DataSource };
/** Changes the MCP settings of one project; null inherits, and omitted settings do not change. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateMcpProjectSettings: { readonly input: {
readonly projectId: number;
readonly body: UpdateMcpProjectSettingsBody;
}; readonly answer: McpProjectSettings };
/** Changes the MCP settings for all projects; omitted settings do not change. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly updateMcpSettings: { readonly input: {
readonly body: UpdateMcpSettingsBody;
}; readonly answer: McpSettings };
/** Replaces a job; running copies continue with the old settings. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly updateMigrationJob: { readonly input: {
readonly id: number;
readonly body: MigrationJobInput;
}; readonly answer: MigrationJob };
/** Changes the name or description of a project. Needs the Editor role or above. API keys need the Execute scope. */
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
/** Renames one of the caller's saved views, or replaces its filters and sort order. Open to everybody. */
readonly updateSavedView: { readonly input: {
readonly id: number;
readonly body: UpdateSavedViewBody;
}; readonly answer: SavedView };
/** Changes the settings of a subscription, except its query and its schedule. Needs the Editor role or above. API keys need the Execute scope. */
readonly updateSubscription: { readonly input: {
readonly id: number;
readonly body: SubscriptionChange;
}; readonly answer: Subscription };
/** Changes a user; absent members do not change, and empty values are cleared. Needs the Admin role or the UserAdmin permission. API keys need the Execute scope. */
readonly updateUser: { readonly input: {
readonly id: number;
readonly body: UserInput;
}; readonly answer: User };
/** Changes the caller's name, notices by email and display settings; absent members do not change. Open to everybody. */
readonly updateUserSettings: { readonly input: {
readonly body: UpdateUserSettingsBody;
}; readonly answer: UserSettings };
/** Uploads a file to the first folder that data sources may read; the body contains its bytes. Needs the Admin role or the DataSourceAdmin permission. API keys need the Execute scope. */
readonly uploadDataFile: { readonly input: {
/** File name without a folder. It ends in .csv, .tsv, .parquet, .json, .jsonl, .ndjson, .xlsx, .duckdb, .sqlite, .sqlite3 or .db. */
readonly name: string | number;
readonly body: FileBody;
}; readonly answer: DataFile };
/** Adds a Markdown, text or HTML document to a project; the body contains its bytes. Needs the Editor role or above. API keys need the Execute scope. */
readonly uploadImportedDocument: { readonly input: {
readonly id: number;
/** File name without a folder. It ends in .md, .markdown, .txt, .html or .htm. */
readonly name: string | number;
readonly body: FileBody;
}; readonly answer: ImportedDocumentItem };
/** Checks the source and the destination of a job; writes nothing. Needs the Admin role or the MigrationOperator permission. API keys need the Execute scope. */
readonly validateMigrationJob: { readonly input: {
readonly id: number;
}; readonly answer: MigrationValidation };
/** Marks a relationship as verified, or removes the mark. Needs the Editor role or above. API keys need the Execute scope. */
readonly verifyRelationship: { readonly input: {
readonly id: number;
readonly relationshipId: number;
readonly body: VerifyRelationshipBody;
}; readonly answer: Relationship };
/** Notifies the caller of further events of a task. Needs the Viewer role or above. */
readonly watchTask: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the acknowledgement of the alert of a subscription: reminders continue. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawAcknowledgement: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws a plan before it is decided. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawAiPlan: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the caller's own change and restores the approved state. Needs the Admin role or the SecurityAdmin permission. API keys need the Execute scope. */
readonly withdrawChange: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the acknowledgement of the alert of a data contract: reminders continue. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawContractAcknowledgement: { readonly input: {
readonly id: number;
}; readonly answer: undefined };
/** Withdraws the caller's own version that awaits approval. Needs the Editor role or above. API keys need the Execute scope. */
readonly withdrawQueryVersion: { readonly input: {
readonly id: number;
readonly versionId: number;
}; readonly answer: Query };
/** Saves the text of a user as a section. Needs the Editor role or above. API keys need the Execute scope. */
readonly writeDocumentation: { readonly input: {
readonly id: number;
readonly kind: "DataModel" | "DataFlows" | "CodeLineage" | "DataQuality" | "Notes";
readonly body: WriteDocumentationBody;
}; readonly answer: DocumentationSection };
};

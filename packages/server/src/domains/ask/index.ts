export { advisoriesOf, namedTables } from './advice/advisories.ts';
export { type Answering, type AnsweringDeps, createAnswering } from './answering/answer.ts';
export type { StatementResult } from './answering/execute.ts';
export type { Outcome } from './answering/outcome.ts';
export type { AnswerRequest } from './answering/request.ts';
export type { AnswerSignal } from './deps.ts';
export { askRoutes } from './routes.ts';
export { type AskService, createAskService } from './service.ts';

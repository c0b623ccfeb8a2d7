export { advisoriesOf, namedTables } from './advisories.ts';
export {
  type Answering,
  type AnsweringDeps,
  type Asked,
  createAnswering,
  type Outcome,
  type Ran,
} from './answering.ts';
export { askRoutes } from './routes.ts';
export { type AnswerSignal, type AskService, createAskService } from './service.ts';

export { advisoriesOf } from './advisories.ts';
export { type AnsweringDeps, type Checked, createAnswering, type Ran } from './answering.ts';
export { askRoutes } from './routes.ts';
export { type AskService, createAskService } from './service.ts';

export {
  type AnswerOf,
  createSvcClient,
  type InputOf,
  type ItemOf,
  type ListId,
  type OperationId,
  type OperationMethods,
  type SvcClient,
  type SvcClientOptions,
} from './client.ts';
export { guardFormula } from './formula-text.generated.ts';
export type { Operations } from './operations.generated.ts';
export { SvcConnectionError, SvcProblem } from './problem.ts';
export type { CallOptions, FileBody, RawRequest } from './request.ts';
export { serviceAddress } from './request-url.ts';
export type * from './schemas.generated.ts';

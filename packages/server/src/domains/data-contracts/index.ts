export { assertMayUseSql, assertRulesFit, definitionOf } from './definition.ts';
export { dataContractRoutes } from './routes.ts';
export { acceptedValues } from './rule-store.ts';
export {
  createDataContractsService,
  createReachContract,
  type DataContractsService,
  type ReachContract,
} from './service.ts';
export { findEngine } from './source-store.ts';
export { type ContractRow, findContract } from './store.ts';

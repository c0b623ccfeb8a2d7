export { assertMayUseSql, assertRulesFit, definitionOf } from './definition.ts';
export { createReachContract, type ReachContract } from './reach.ts';
export { dataContractRoutes } from './routes.ts';
export { acceptedValues } from './rule-store.ts';
export { createDataContractsService, type DataContractsService } from './service.ts';
export { findEngine } from './source-store.ts';
export { type ContractRow, findContract } from './store.ts';

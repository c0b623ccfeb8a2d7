export { dataContractRoutes } from './routes.ts';
export { createDataContractsService, createReachContract, type ReachContract } from './service.ts';
export { type ContractRow, findContract } from './store.ts';

export { offerOf, readArguments } from './offer.ts';
export type { McpState } from './present.ts';
export {
  findPublishedQuery,
  findPublishedTool,
  listPublishedQueries,
  offeredQueries,
  type PublishedQuery,
  planPublishedQuery,
} from './published.ts';
export { queryToolRoutes } from './routes.ts';
export { createQueryToolsService, type QueryToolsService } from './service.ts';
export { pinTool } from './store.ts';

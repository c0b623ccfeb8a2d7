export { type Antiforgery, createAntiforgery, hostOf, refuseCrossSite } from './antiforgery.ts';
export { createHttpApp, type HttpAppOptions } from './app.ts';
export { cookiePath, guardedCookieName, withBase, withoutBase } from './base-path.ts';
export { BusinessRuleError, brokenRule, notPossible } from './business-rule.ts';
export { expectedVersion, setVersionTag } from './entity-tag.ts';
export { setApiHeaders, setPageHeaders } from './headers.ts';
export { HttpProblem, type MemberError } from './http-problem.ts';
export { openApiDocument } from './openapi.ts';
export { type OpenApiRouteOptions, openApiRoute } from './openapi-route.ts';
export { orderBy, type PageRequest, pageOf, pageRequest, type Sortable } from './paging.ts';
export { type ErrorMapping, helpBelow, toProblem } from './problems.ts';
export { rawAnswer } from './raw-answer.ts';
export * from './refusal.ts';
export {
  answered,
  bytesRoute,
  type Route,
  type RouteContext,
  type RouteGate,
  readRoute,
  route,
} from './route.ts';
export { canUpgrade, serveUpgrade, takeUpgrade } from './upgrade.ts';
export { bodyValidator, closed } from './validation.ts';

export { type Antiforgery, createAntiforgery, hostOf, refuseCrossSite } from './antiforgery.ts';
export { createHttpApp, type HttpAppOptions, type InCourseOf } from './app.ts';
export { cookiePath, guardedCookieName, withBase, withoutBase } from './base-path.ts';
export { rawAnswer } from './connection/raw-answer.ts';
export { canUpgrade, serveUpgrade, takeUpgrade } from './connection/upgrade.ts';
export { expectedVersion, setVersionTag, unlessKnown } from './entity-tag.ts';
export { setApiHeaders, setPageHeaders } from './headers.ts';
export { createIdempotencyStore, type IdempotencyStore } from './idempotency/store.ts';
export { bodyValidator, closed, memberValidator } from './input/validation.ts';
export { openApiDocument } from './openapi/openapi.ts';
export { type OpenApiRouteOptions, openApiRoute } from './openapi/openapi-route.ts';
export { orderBy, type PageRequest, pageOf, pageOfKept, pageRequest, type Sortable } from './paging.ts';
export { BusinessRuleError, brokenRule, notPossible } from './refusals/business-rule.ts';
export { HttpProblem, type MemberError } from './refusals/http-problem.ts';
export { type ErrorMapping, helpBelow, toProblem } from './refusals/problems.ts';
export * from './refusals/refusal.ts';
export {
  answered,
  bytesRoute,
  type Route,
  type RouteContext,
  type RouteGate,
  readRoute,
  route,
} from './route.ts';
export { snoozeEnd } from './snooze-end.ts';

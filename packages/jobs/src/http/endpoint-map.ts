import type { Jobs } from '../client/jobs.ts';
import { JobsError } from '../errors.ts';
import type { Observer } from '../observability/observer.ts';
import { type EndpointDeclaration, endpointMethods } from './declare-endpoint.ts';
import { jobStatusEndpoint } from './job-status.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { parseRouteTemplate } from './route-template.ts';
import type { Mapped } from './serve-endpoint.ts';

export type MapOptions = { readonly group?: string; readonly prefix?: string };

/** Mapped endpoints of a process. */
export type EndpointMap = {
  /** Maps the declarations of one group, see `Endpoints.map`. */
  map(declarations: readonly EndpointDeclaration[], options?: MapOptions): void;
  readonly find: RouteTable<Mapped>['find'];
  /** Returns all mapped endpoints in the order of their mapping. */
  all(): Mapped[];
  /** Returns their identities in the form `GET /orders/{id}`. */
  keys(): string[];
};

export function createEndpointMap(deps: {
  readonly jobs: Pick<Jobs, 'get'>;
  /** Recorder of calls; null without observation. */
  readonly observer: Observer | null;
  /** Route of a job's status; null for no route. */
  readonly statusRoute: string | null;
}): EndpointMap {
  const { observer, statusRoute } = deps;
  const mappedByKey = new Map<string, Mapped>();
  const table = createRouteTable<Mapped>();
  const groupKeys = new Set<string>();
  const enqueuedNames = new Set<string>();

  const add = (declaration: EndpointDeclaration, prefix: string, statusPath: Mapped['statusPath']) => {
    const template = parseRouteTemplate(`${prefix}${declaration.route}`);
    const { method } = declaration;
    const key = `${method} ${template.identity}`;
    if (mappedByKey.has(key)) throw new JobsError('InvalidDeclaration', `${key} is mapped already.`);
    const observed = { method, routeTemplate: template.identity, operation: declaration.operation ?? null };
    const mapped: Mapped = {
      declaration,
      template,
      key,
      statusPath,
      takesBody: method !== 'GET' && method !== 'DELETE',
      beginObservation: observer?.bind(observed) ?? null,
    };
    mappedByKey.set(key, mapped);
    table.add(method, template, mapped);
  };

  const mapStatus = (prefix: string): Mapped['statusPath'] => {
    if (statusRoute === null) return null;
    const { identity } = parseRouteTemplate(`${prefix}${statusRoute}`);
    if (!mappedByKey.has(`GET ${identity}`)) {
      add(jobStatusEndpoint(deps.jobs, statusRoute, enqueuedNames), prefix, null);
    }
    return (jobId) => identity.replace('{jobId}', jobId);
  };

  return {
    map: (declarations, { group = '', prefix = '' } = {}) => {
      const groupKey = `${prefix} ${group}`;
      if (groupKeys.has(groupKey)) {
        throw new JobsError('InvalidDeclaration', `The group ${JSON.stringify(group)} is mapped already.`);
      }
      groupKeys.add(groupKey);
      for (const declaration of declarations) {
        if ((declaration.group ?? '') !== group) continue;
        if (!endpointMethods.includes(declaration.method)) {
          throw new JobsError('InvalidDeclaration', `${declaration.method} is no method of an endpoint.`);
        }
        if (declaration.mode === 'Enqueue') enqueuedNames.add(declaration.job.name);
        add(declaration, prefix, declaration.mode === 'Enqueue' ? mapStatus(prefix) : null);
      }
    },
    find: table.find,
    all: () => [...mappedByKey.values()],
    keys: () => [...mappedByKey.keys()],
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { addEndpointObservability, createEndpoints, type EndpointDeclaration, type Jobs } from '@svc/jobs';
import { Refusal, toProblem } from '../../platform/http/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

export type HostEndpoints = Module & {
  /** Serves a request to one of the endpoints, whose path is `url`. Other requests go to `next` unchanged. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, url: string, next: () => void) => void;
};

type HostEndpointsDeps = {
  readonly jobs: Jobs;
  readonly declarations: readonly EndpointDeclaration[] | undefined;
};

/**
 * Composes the host's own HTTP endpoints. Their calls are counted and stored for the job dashboard. Undefined if
 * the host has none.
 */
export function composeHostEndpoints(
  { database, log, settings }: Infrastructure,
  { jobs, declarations }: HostEndpointsDeps,
): HostEndpoints | undefined {
  if (declarations === undefined) return undefined;
  const observer = addEndpointObservability({ pool: database.pool, logger: log });
  const endpoints = createEndpoints({ jobs, observer, logger: log });
  endpoints.map(declarations);
  const { basePath } = settings.addresses;
  return {
    serve: (request, response, url, next) => {
      const asItCame = request.url;
      request.url = url;
      endpoints.handle(request, response, (error) => {
        if (asItCame !== undefined) request.url = asItCame;
        if (error === undefined) return next();
        log.error({ err: error }, 'an endpoint of the host failed');
        if (response.headersSent) return void response.destroy();
        const problem = toProblem(new Refusal('internal'), { basePath });
        response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify(problem));
      });
    },
    close: () => observer.stop(),
  };
}

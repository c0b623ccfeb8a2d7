import { once } from 'node:events';
import { createRequire } from 'node:module';
import { metrics, trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import pg from 'pg';
import { Histogram } from 'prom-client';
import {
  addEndpointObservability,
  answeringEndpoint,
  createEndpoints,
  createJobs,
  fastifyEndpoints,
  type Observer,
} from '../../packages/jobs/src/index.ts';
import { runSubject } from '../run/subject-process.ts';

/** Configuration of a Fastify host with one endpoint. */
export type HostConfig = {
  /** `bare`: no observation. `library`: served by the job library, unobserved. `rows`: with a row for every call. */
  readonly kind: 'bare' | 'prom-client' | 'opentelemetry' | 'library' | 'aggregates' | 'rows';
  readonly connection: pg.ClientConfig;
};

type FastifyModule = typeof import('fastify');
type Answering = (id: string) => unknown;

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const answerOf: Answering = (id) => ({ id, state: 'Confirmed', lines: [1, 2, 3] });

/** Discards spans. The benchmark measures only their creation. */
const nowhere: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: async () => undefined,
};

/** Sets up HTTP instrumentation as documented. It must run before the server's modules are loaded. */
function instrument(): void {
  new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(nowhere)] }).register();
  metrics.setGlobalMeterProvider(new MeterProvider());
  const instrumentation = new HttpInstrumentation();
  instrumentation.setTracerProvider(trace.getTracerProvider());
  instrumentation.setMeterProvider(metrics.getMeterProvider());
  instrumentation.enable();
}

runSubject(async ({ kind, connection }: HostConfig) => {
  if (kind === 'opentelemetry') instrument();
  const { fastify } = createRequire(import.meta.url)('fastify') as FastifyModule;
  const app = fastify();
  const pool = new pg.Pool({ ...connection, max: 4, connectionTimeoutMillis: 5_000 });
  pool.on('error', () => undefined);
  let observer: Observer | undefined;
  if (kind === 'library' || kind === 'aggregates' || kind === 'rows') {
    if (kind !== 'library') {
      observer = addEndpointObservability({ pool }, (options) => {
        if (kind === 'rows') return;
        options.sampleRate = 0;
        options.captureHeaders = 'None';
        options.captureRequestBodies = 'None';
        options.captureResponseBodies = 'None';
      });
    }
    const endpoints = createEndpoints({
      jobs: createJobs({ pool }),
      logger: silent,
      ...(observer && { observer }),
    });
    endpoints.map([
      answeringEndpoint({
        method: 'GET',
        route: '/orders/{id}',
        parse: (value) => value as { id: string },
        handler: ({ input }) => answerOf(input.id),
      }),
    ]);
    await app.register(fastifyEndpoints(endpoints));
  } else {
    if (kind === 'prom-client') {
      const duration = new Histogram({
        name: 'http_request_duration_seconds',
        help: 'Duration of requests.',
        labelNames: ['method', 'route', 'status'],
      });
      app.addHook('onResponse', async (request, reply) => {
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? '',
          status: reply.statusCode,
        };
        duration.observe(labels, reply.elapsedTime / 1_000);
      });
    }
    app.get<{ Params: { id: string } }>('/orders/:id', async (request) => answerOf(request.params.id));
  }
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ready: { origin },
    act: async () => ({ dropped: observer?.droppedCount() ?? 0 }),
    stop: async () => {
      app.server.closeAllConnections();
      const closed = once(app.server, 'close');
      await app.close();
      await closed.catch(() => undefined);
      await observer?.stop({ timeoutMs: 500 });
      await pool.end();
    },
  };
});

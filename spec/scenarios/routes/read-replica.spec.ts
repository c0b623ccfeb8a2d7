import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import * as contract from '@svc/contract';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { startStandbyPair } from '@svc/testkit/service/standby.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const kpis = '/svc/api/home/kpis';
const fresh = { headers: { 'cache-control': 'no-cache' } };
/** Required query strings by operation id. */
const needed: Readonly<Record<string, string>> = {
  listRecentRuns: '?subscriptionIds=1',
  listRecentDeliveries: '?recipientIds=1',
};
/** Longer than the lag limit of late reads (5 s), shorter than the time limit of a scenario. */
const slow = { timeout: 30_000 };
const lateRoutes = Object.values(contract as Readonly<Record<string, unknown>>).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'readsLate' in value && value.readsLate === true,
);

scenario(
  ['ID-2.6-883', 'ID-2.6-884', 'ID-2.6-885'],
  'routes for late reads use the standby, and the primary after a change by the caller or while the standby lags or is down',
  async ({ onEnd }) => {
    const pair = await startStandbyPair();
    const config = {
      'Svc:Database:ReadConnectionString': pair.standbyUrl,
      'Svc:Jobs:Workers': 0,
      'Svc:Migrations:Enabled': true,
    };
    const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
    const metrics = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const meterProvider = new MeterProvider({ readers: [metrics] });
    const svc = await startService({
      on: pair,
      config,
      svc: { telemetry: { meterProvider, tracerProvider: new NodeTracerProvider() } },
    }).catch(async (error: unknown) => {
      await pair.stop();
      throw error;
    });
    onEnd(async () => {
      await svc.close();
      await meterProvider.shutdown();
      await pair.stop();
    });
    /** Returns the lag in seconds from the gauge, or an empty list while the standby is unavailable. */
    const lagSeconds = async (): Promise<unknown[]> => {
      exporter.reset();
      await metrics.forceFlush();
      return exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
        .filter(({ descriptor }) => descriptor.name === 'svc.database.replica_lag')
        .flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value));
    };
    const lagMax = async (): Promise<number> => Math.max(-1, ...(await lagSeconds()).map(Number));
    const root = await setUp(svc);
    await createUser(svc.database, 'reader', 'Admin');
    const other = await svc.replica();
    const reader = await signIn(other, 'reader');
    const projects = async (client = reader, options = {}): Promise<number> => {
      const answer = await client.get(kpis, options);
      expect(answer.status).toBe(200);
      return answer.body.projects;
    };
    const askedOf = (log: string) => log.split('\n').filter((line) => line.startsWith('[svc late reads]'));

    // The standby answers each marked route without an error. Sign-in counts as a write, so wait for late reads.
    await pair.caughtUp();
    const before = () => askedOf(pair.standbyLog()).length;
    await expect
      .poll(async () => {
        const asked = before();
        await projects();
        return before() > asked;
      }, slow)
      .toBe(true);
    expect(lateRoutes.length).toBeGreaterThan(20);
    for (const { operationId, method, path } of lateRoutes) {
      expect([operationId, method]).toEqual([operationId, 'GET']);
      const asked = before();
      const { status } = await reader.get(path.replaceAll(/\{\w+\}/g, '1') + (needed[operationId] ?? ''));
      expect([operationId, [200, 404].includes(status), before() > asked]).toEqual([operationId, true, true]);
    }
    await expect.poll(async () => (await lagSeconds()).length, slow).toBe(1);
    expect(await lagMax()).toBeLessThan(5);
    expect(askedOf(pair.standbyLog()).filter((line) => /ERROR|FATAL/.test(line))).toEqual([]);

    // The standby pauses. The reader gets old data; the writer and a `no-cache` request get current data. After the
    // lag limit, all callers get current data.
    const count = await projects();
    await pair.pauseReplay();
    await addProject(root, 'Made while the standby stands still');
    expect(await projects()).toBe(count);
    expect(await projects(root)).toBe(count + 1);
    const sameElsewhere = other.client();
    for (const [name, value] of root.cookies) sameElsewhere.cookies.set(name, value);
    expect(await projects(sameElsewhere)).toBe(count + 1);
    expect(await projects(reader, fresh)).toBe(count + 1);
    await expect.poll(() => projects(), slow).toBe(count + 1);
    await expect.poll(lagMax, slow).toBeGreaterThan(5);
    await pair.resumeReplay();
    await pair.caughtUp();
    await expect
      .poll(async () => {
        const asked = before();
        await projects();
        return before() > asked;
      }, slow)
      .toBe(true);

    // The standby stops: reads continue on the primary. After its restart, reads return to the standby.
    await pair.killStandby();
    for (let turn = 0; turn < 5; turn += 1) expect(await projects()).toBe(count + 1);
    await addProject(root, 'Made while the standby is gone');
    expect(await projects()).toBe(count + 2);
    expect(other.log.map(({ msg }) => msg)).toContain(
      'the read replica is away: everything is read from the primary',
    );
    await expect.poll(lagSeconds, slow).toEqual([]);
    await pair.startStandby();
    await expect
      .poll(async () => {
        const asked = before();
        expect(await projects()).toBe(count + 2);
        return before() > asked;
      }, slow)
      .toBe(true);
  },
);

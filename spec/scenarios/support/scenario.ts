import type { SvcOptions } from '@svc/server';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { type RunningService, startService, type Wiring } from '@svc/testkit/service/service.ts';
import type { Settings } from '@svc/testkit/service/settings.ts';
import { type TestOptions, test } from 'vitest';
import type { RequirementId } from '../../requirements/index.ts';

/** Starts a service with settings and options in addition to the defaults of all tests. */
export type StartService = (
  settings?: Settings,
  options?: Partial<SvcOptions>,
  wire?: Wiring,
) => Promise<RunningService>;

/** Fixtures of a scenario. Each fixture is created on its first use. */
export type ScenarioContext = {
  /** A service with completed setup, which the scenarios of a file share. */
  readonly svc: RunningService;
  /** The super admin's browser on `svc`. */
  readonly root: HttpClient;
  /** Starts a service for this scenario alone, with open setup. The end of the scenario closes it. */
  readonly start: StartService;
  /** Starts a service that may deliver to a sink, with a project and a source to watch. */
  readonly deliver: (settings?: Settings, options?: Partial<SvcOptions>) => Promise<DeliveryFixture>;
  /** Registers a function that runs at the end of the scenario, before its services are closed. */
  readonly onEnd: (close: () => Promise<void>) => void;
};

const extended = test.extend<ScenarioContext & { ready: { svc: RunningService; root: HttpClient } }>({
  ready: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter.
    async ({}, use) => {
      const svc = await startService({ svc: { email: async () => undefined } });
      try {
        await use({ svc, root: await setUp(svc) });
      } finally {
        await svc.close();
      }
    },
    { scope: 'file' },
  ],
  svc: async ({ ready }, use) => use(ready.svc),
  root: async ({ ready }, use) => use(ready.root),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter.
  start: async ({}, use) => {
    const started: RunningService[] = [];
    try {
      await use(async (config = {}, svc = {}, wire = async (connection) => connection) => {
        const service = await startService({ config, svc, wire });
        started.push(service);
        return service;
      });
    } finally {
      for (const service of started) await service.close();
    }
  },
  deliver: async ({ onEnd }, use) =>
    use(async (config = {}, svc = {}) => {
      const fixture = await startDeliveryFixture({ config, svc });
      onEnd(fixture.close);
      return fixture;
    }),
  onEnd: async ({ start }, use) => {
    void start;
    const closing: (() => Promise<void>)[] = [];
    try {
      await use((close) => void closing.push(close));
    } finally {
      for (const close of closing) await close();
    }
  },
});

type Body = (context: ScenarioContext) => Promise<void>;
type Ids = readonly [RequirementId, ...RequirementId[]];
const titled = (title: string, ids: Ids) => `${title} (${ids.join(', ')})`;

/**
 * Registers a black-box test of the running service that verifies the requirements with the given ids. The coverage
 * check reads the ids from the source text, so they must be plain strings in the call.
 */
export function scenario(ids: Ids, title: string, body: Body, options: TestOptions = {}): void {
  extended(titled(title, ids), options, body);
}

/**
 * Registers a scenario that the service does not satisfy yet. It must fail, so that a fix of the service requires a
 * normal scenario here. It verifies nothing, and its ids remain known gaps under `defects`.
 */
scenario.fails = (ids: Ids, title: string, body: Body): void => {
  extended.fails(titled(title, ids), body);
};

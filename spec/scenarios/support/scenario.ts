import type { SvcOptions } from '@svc/server';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { type RunningService, startService, type Wiring } from '@svc/testkit/service/service.ts';
import type { Settings } from '@svc/testkit/service/settings.ts';
import { type TestOptions, test } from 'vitest';
import type { RequirementId } from '../../requirements/index.ts';

/** Starts a service with settings and options beside those of every test. */
export type StartService = (
  settings?: Settings,
  options?: Partial<SvcOptions>,
  wire?: Wiring,
) => Promise<RunningService>;

/** What a scenario can ask for; each part is made when the first scenario of a file asks for it. */
export type ScenarioContext = {
  /** A service whose setup is done, shared by the scenarios of a file. */
  readonly svc: RunningService;
  /** The super admin's browser on `svc`. */
  readonly root: HttpClient;
  /** Starts a service for this scenario alone, with setup open; it is closed at the scenario's end. */
  readonly start: StartService;
  /** Starts a service that may deliver to a sink, with a project and a source to watch. */
  readonly deliver: (settings?: Settings, options?: Partial<SvcOptions>) => Promise<DeliveryFixture>;
  /** Called when the scenario ends, before its services are closed. */
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
 * One black-box test of the running service that verifies the requirements with the given ids.
 * The ids are read from the source text by the coverage check, so they stand in the call as plain strings.
 */
export function scenario(ids: Ids, title: string, body: Body, options: TestOptions = {}): void {
  extended(titled(title, ids), options, body);
}

/**
 * A scenario that the service does not satisfy yet: it must fail, so that mending the service forces it out.
 * It verifies nothing; its ids stay known gaps, under `defects`.
 */
scenario.fails = (ids: Ids, title: string, body: Body): void => {
  extended.fails(titled(title, ids), body);
};

import manifest from '../../package.json' with { type: 'json' };
import type { Demo } from '../domains/demo/index.ts';
import type { HealthService } from '../domains/health/index.ts';
import type { Provisioning } from '../domains/provisioning/index.ts';
import type { SecretsService } from '../domains/secrets/index.ts';
import type { SvcOptions } from '../svc.ts';
import { composeDashboard } from './dashboard.ts';
import { composeDefinitions } from './definitions.ts';
import { composeEvents } from './events.ts';
import type { Ground } from './ground.ts';
import { composeHealth } from './health.ts';
import type { HostEndpoints } from './host-endpoints.ts';
import { composeHttp, type HttpPart } from './http.ts';
import { composeHub } from './hub.ts';
import { composeIdentity, type Identity } from './identity.ts';
import { composeKeyInspection } from './key-inspection.ts';
import { composeMcp } from './mcp.ts';
import { type Part, routesOf, sweepsOf } from './part.ts';
import { composeUpkeep } from './upkeep.ts';
import { composeWatching } from './watching.ts';

/** The composed service, not yet started. */
export type Service = {
  /** All modules, in start order. */
  readonly parts: readonly Part[];
  readonly app: HttpPart['app'];
  /** Paths of routes outside `/svc`. */
  readonly ownPaths: ReadonlySet<string>;
  readonly isSetupOpen: Identity['isSetupOpen'];
  readonly checkHealth: HealthService['check'];
  readonly demo: Demo;
  readonly hostEndpoints: HostEndpoints | undefined;
  readonly rotateSecrets: SecretsService['rotate'];
  readonly provisioning: Provisioning;
};

/** Composes the service. Each module gets the infrastructure and earlier modules. */
export async function composeService(ground: Ground, options: SvcOptions): Promise<Service> {
  const events = composeEvents(ground, options.realtime?.events);
  const watching = await composeWatching(ground, events, options);
  const { door, sources, asking, note, history, demo } = watching;
  const health = composeHealth(ground, watching);
  const identity = composeIdentity(ground, {
    onFirstAdministrator: [demo.takeOver],
    onSetupToken: options.onSetupToken,
    mayKeyExecute: options.mayKeyExecute,
    tellResponsible: watching.tellResponsible,
  });
  const { sessions, keys } = identity;
  const { gates, mcpCallers } = identity.callers;
  const mcp = composeMcp(ground, {
    version: manifest.version,
    byKey: keys.byKey,
    mcpCallers,
    sources,
    door,
    asking,
    note,
    servingOverride: options.mcpServing,
  });
  const { isSetupOpen } = identity;
  const definitions = composeDefinitions(ground, { ...watching.defined, mcp, isSetupOpen });
  const watched = [...watching.parts, definitions];
  const hub = composeHub(ground, { events: events.events, sessions, history, limits: options.realtime?.hub });
  const explained = [health, ...identity.parts, ...watched, mcp, hub];
  const inspection = composeKeyInspection(ground, {
    lastUsed: keys.lastUsed,
    endpointsOfOthers: routesOf(explained).map(({ endpoint }) => endpoint),
  });
  const routes = routesOf([...explained, inspection]);
  const dashboard = options.dashboard && composeDashboard(ground, { options: options.dashboard, gates });
  const http = await composeHttp(ground, { routes, version: manifest.version, gates, dashboard, options });
  const upkeep = composeUpkeep(ground, {
    sweeps: [...identity.sweeps, ...sweepsOf([ground, ...watched, http]), inspection.sweep],
  });
  const paths = routes.map(({ endpoint }) => endpoint.path);

  return {
    // Request-serving modules close before their dependencies, and the hub closes first, so that its clients
    // reconnect elsewhere.
    parts: [
      ground,
      health,
      ...identity.parts,
      inspection,
      upkeep,
      events,
      ...watched,
      ...(dashboard ? [dashboard] : []),
      http,
      mcp,
      hub,
    ],
    app: http.app,
    ownPaths: new Set(paths.filter((path) => !path.startsWith('/svc/'))),
    isSetupOpen,
    checkHealth: health.check,
    demo,
    hostEndpoints: watching.hostEndpoints,
    rotateSecrets: watching.rotateSecrets,
    provisioning: definitions.provisioning,
  };
}

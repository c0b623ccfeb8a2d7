import manifest from '../../package.json' with { type: 'json' };
import type { Demo } from '../domains/demo/index.ts';
import type { HealthService } from '../domains/health/index.ts';
import type { Provisioning } from '../domains/provisioning/index.ts';
import type { SecretsService } from '../domains/secrets/index.ts';
import type { SvcOptions } from '../svc.ts';
import { composeDefinitions } from './changes/definitions.ts';
import { composeEvents } from './events.ts';
import { composeHttp, type HttpModule } from './http.ts';
import { composeHub } from './hub.ts';
import { composeIdentity, type Identity } from './identity/identity.ts';
import { composeKeyInspection } from './identity/key-inspection.ts';
import type { Infrastructure } from './infrastructure.ts';
import { composeMcp } from './models/mcp.ts';
import { type Module, routesOf, sweepsOf } from './module.ts';
import { composeDashboard } from './overview/dashboard.ts';
import { composeHealth } from './overview/health.ts';
import type { HostEndpoints } from './overview/host-endpoints.ts';
import { composeUpkeep } from './upkeep.ts';
import { composeWatching } from './watching.ts';

/** The composed service, not yet started. */
export type Service = {
  /** All modules, in start order. */
  readonly modules: readonly Module[];
  readonly app: HttpModule['app'];
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
export async function composeService(infra: Infrastructure, options: SvcOptions): Promise<Service> {
  const events = composeEvents(infra, options.realtime?.events);
  const watching = await composeWatching(infra, events, options);
  const { gateway, sources, asking, note, history, demo } = watching;
  const health = composeHealth(infra, watching);
  const identity = composeIdentity(infra, {
    onFirstAdministrator: [demo.takeOver],
    onSetupToken: options.onSetupToken,
    mayKeyExecute: options.mayKeyExecute,
    tellResponsible: watching.tellResponsible,
  });
  const { sessions, keys } = identity;
  const { gates, mcpCallers } = identity.callers;
  const mcp = composeMcp(infra, {
    version: manifest.version,
    byKey: keys.byKey,
    mcpCallers,
    sources,
    gateway,
    asking,
    note,
    servingOverride: options.mcpServing,
  });
  const { isSetupOpen } = identity;
  const definitions = composeDefinitions(infra, { ...watching.defined, mcp, isSetupOpen });
  const watched = [...watching.modules, definitions];
  const hub = composeHub(infra, { events: events.events, sessions, history, limits: options.realtime?.hub });
  const explained = [health, ...identity.modules, ...watched, mcp, hub];
  const inspection = composeKeyInspection(infra, {
    lastUsed: keys.lastUsed,
    endpointsOfOthers: routesOf(explained).map(({ endpoint }) => endpoint),
  });
  const routes = routesOf([...explained, inspection]);
  const dashboard = options.dashboard && composeDashboard(infra, { options: options.dashboard, gates });
  const http = await composeHttp(infra, { routes, version: manifest.version, gates, dashboard, options });
  const upkeep = composeUpkeep(infra, {
    sweeps: [...identity.sweeps, ...sweepsOf([infra, ...watched, http]), inspection.sweep],
  });
  const paths = routes.map(({ endpoint }) => endpoint.path);

  return {
    // Request-serving modules close before their dependencies, and the hub closes first, so that its clients
    // reconnect elsewhere.
    modules: [
      infra,
      health,
      ...identity.modules,
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

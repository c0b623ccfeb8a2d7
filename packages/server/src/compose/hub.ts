import { createRealtime } from '../domains/realtime/index.ts';
import type { HistoryService } from '../domains/run-history/index.ts';
import type { SessionsService } from '../domains/sessions/index.ts';
import type { Events } from '../platform/events/index.ts';
import type { HubLimits } from '../platform/hub/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Module } from './module.ts';

/**
 * Composes the hub. Empty while realtime is off. The hub closes before the services that its clients use; the
 * clients reconnect to another process.
 */
export function composeHub(
  infra: Infrastructure,
  deps: {
    readonly events: Events;
    readonly sessions: SessionsService;
    readonly history: Pick<HistoryService, 'isVisible'>;
    readonly limits: Partial<HubLimits> | undefined;
  },
): Module {
  const { realtime, sessions, addresses } = infra.settings;
  if (!realtime.isEnabled) return {};
  return createRealtime({
    ...infra,
    events: deps.events,
    sessions: deps.sessions,
    trustedHosts: addresses.trustedHosts,
    canSeeNotification: deps.history.isVisible,
    revalidateMinutes: sessions.revalidateMinutes,
    limits: {
      connectionsMax: realtime.connectionsMax,
      connectionsPerUserMax: realtime.connectionsPerUserMax,
      ...deps.limits,
    },
  });
}

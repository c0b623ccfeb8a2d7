import type { McpProjectValues } from '@svc/contract';
import type { Executor } from '../../../platform/db/index.ts';
import type { McpState } from '../../query-tools/index.ts';
import { effectiveValues, type McpGovernance } from './resolve.ts';
import { findValues } from './store.ts';

/**
 * Tells of projects whether AI clients are there at all, and which tools are off.
 *
 * @param isOffered  false while the whole endpoint is off.
 */
export const mcpStates =
  (governance: McpGovernance, isOffered: boolean) =>
  async (executor: Executor, projectIds: readonly number[]): Promise<(id: number) => McpState> => {
    const { global, ofProject } = await findValues(executor, projectIds);
    return (id) => {
      const { isEnabled, disabledTools } = effectiveValues(governance, global, ofProject.get(id) ?? {});
      return { isEnabled: isOffered && isEnabled, disabledTools };
    };
  };

/** The settings of a project as they hold, whether AI clients are there or not. */
export async function mcpValuesOf(
  executor: Executor,
  governance: McpGovernance,
  projectId: number,
): Promise<McpProjectValues> {
  const { global, ofProject } = await findValues(executor, [projectId]);
  return effectiveValues(governance, global, ofProject.get(projectId) ?? {});
}

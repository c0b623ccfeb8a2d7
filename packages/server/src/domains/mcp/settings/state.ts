import type { McpProjectValues } from '@svc/contract';
import type { Executor } from '../../../platform/db/index.ts';
import type { McpState } from '../../query-tools/index.ts';
import { effectiveValues, type McpGovernance } from './resolve.ts';
import { findValues } from './store.ts';

/**
 * Returns for each project whether AI clients are enabled, and the disabled tools.
 *
 * @param isOffered  False while the MCP endpoint is disabled.
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

/** Returns the effective settings of a project, even when AI clients are disabled. */
export async function mcpValuesOf(
  executor: Executor,
  governance: McpGovernance,
  projectId: number,
): Promise<McpProjectValues> {
  const { global, ofProject } = await findValues(executor, [projectId]);
  return effectiveValues(governance, global, ofProject.get(projectId) ?? {});
}

import { type QueryMcpTool, setQueryMcpTool } from '@svc/contract';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';

/** Withdraws a published query from AI clients. */
export function TakeBackDialog({
  tool,
  onClose,
}: {
  readonly tool: QueryMcpTool;
  readonly onClose: () => void;
}) {
  const set = useChange(setQueryMcpTool, { touches: ['mcp'], headers: () => ifUnchanged(tool.version) });
  return (
    <ConfirmDialog
      title={`Unpublish ${tool.toolName}?`}
      act="Unpublish"
      onConfirm={() => set.mutateAsync({ params: { id: tool.queryId }, body: { isEnabled: false } })}
      onClose={onClose}
    >
      AI clients do not find it from now on, and calls that name it are refused. Its name and description are
      kept for another time.
    </ConfirmDialog>
  );
}

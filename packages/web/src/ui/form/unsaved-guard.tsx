import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from './dialog.tsx';

/** Asks for confirmation before unsaved changes are lost: by a link, by the back button, or by closing the tab. */
export function UnsavedGuard({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    // Some forms have the path of a list and differ only in parameters.
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog onClose={blocker.reset} title="Leave without saving?" size={400}>
      <div className="stack">
        <p>What you changed here is not saved, and is lost when you leave.</p>
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="subtle" color="red" onClick={blocker.proceed}>
            Leave
          </Button>
          <Button variant="filled" onClick={blocker.reset} data-autofocus>
            Stay
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

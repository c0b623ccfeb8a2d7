import { useEffect, useRef } from 'react';

type Acts = { readonly onSave: () => void; readonly onRun: () => void };

/** Handles Ctrl-S (save) and Ctrl-Enter (run) on the whole page. The text editor handles them first. */
export function useEditorKeys(acts: Acts): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null;
      if (event.defaultPrevented || !isCommand || isInDialog) return;
      if (event.key.toLowerCase() === 's') latest.current.onSave();
      else if (event.key === 'Enter') latest.current.onRun();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

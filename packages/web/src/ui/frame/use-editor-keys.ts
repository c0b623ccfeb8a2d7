import { useEffect, useRef } from 'react';

type Acts = { readonly onSave: () => void; readonly onRun: () => void };

/** Ctrl-S saves and Ctrl-Enter runs from everywhere on the page, not only from its text, which answers them first. */
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

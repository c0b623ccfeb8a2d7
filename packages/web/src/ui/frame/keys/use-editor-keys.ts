import { useEffect, useEffectEvent } from 'react';

type Actions = { readonly onSave: () => void; readonly onRun: () => void };

/** Handles Ctrl-S (save) and Ctrl-Enter (run) on the whole page. The text editor handles them first. */
export function useEditorKeys({ onSave, onRun }: Actions): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null;
    if (event.defaultPrevented || !isCommand || isInDialog) return;
    if (event.key.toLowerCase() === 's') onSave();
    else if (event.key === 'Enter') onRun();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

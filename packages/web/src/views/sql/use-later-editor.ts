import { type ComponentType, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { SqlEditorProps } from './sql-editor.tsx';

/** Editor component, after its code has loaded. */
let loaded: ComponentType<SqlEditorProps> | undefined;

/** Input during which the field must not be replaced. */
type Hold = 'pointer' | 'letter';

/** Loading of the editor, which the field controls. */
export type LaterEditor = ReturnType<typeof useLaterEditor>;

/**
 * Loads the editor on the first request. The editor replaces the field only between inputs: not while the pointer is
 * down or an input method composes a letter.
 * @param isNeeded  Loads the editor without a request.
 */
export function useLaterEditor(isNeeded: boolean) {
  const [Editor, setEditor] = useState<ComponentType<SqlEditorProps> | undefined>(() => loaded);
  const state = useRef({ isRequested: false, isMounted: true, holds: new Set<Hold>() });
  const settle = () => {
    const { isMounted, holds } = state.current;
    if (loaded && isMounted && holds.size === 0) setEditor(() => loaded);
  };
  const load = async (): Promise<void> => {
    try {
      const { SqlEditor } = await import('./sql-editor.tsx');
      loaded = SqlEditor;
      settle();
    } catch {
      // After a failure the field remains, and the next interaction retries.
      state.current.isRequested = false;
    }
  };
  const request = () => {
    if (state.current.isRequested) return;
    state.current.isRequested = true;
    void load();
  };
  const release = (hold: Hold) => {
    state.current.holds.delete(hold);
    settle();
  };
  const hold = (input: Hold) => {
    state.current.holds.add(input);
  };
  const releasePointer = useEffectEvent(() => release('pointer'));
  useLayoutEffect(() => {
    const present = state.current;
    present.isMounted = true;
    const onUp = () => releasePointer();
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onUp);
    return () => {
      present.isMounted = false;
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onUp);
    };
  }, []);
  const requestNeeded = useEffectEvent(() => request());
  useLayoutEffect(() => {
    if (isNeeded) requestNeeded();
  }, [isNeeded]);
  return { Editor, request, hold, release };
}

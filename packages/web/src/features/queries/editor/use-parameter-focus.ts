import { useEffect, useRef } from 'react';
import { parameterFieldId } from '../../../views/query-run/parameters-panel.tsx';

/** Shows the field of the parameter that has no value, and moves the focus to it, once for each failed run. */
export function useParameterFocus(name: string | undefined, failure: unknown, show: () => void): void {
  const wanted = useRef<{ readonly failure: unknown; readonly isMet: boolean } | null>(null);
  // After each drawing: the panel and its own focus come first, with the drawing that shows them.
  useEffect(() => {
    const known = wanted.current?.failure === failure ? wanted.current : null;
    if (name === undefined || known?.isMet) return;
    const field = document.getElementById(parameterFieldId(name));
    if (!known) show();
    const isShown = field?.checkVisibility() === true;
    wanted.current = { failure, isMet: isShown };
    if (isShown) field.focus();
  });
}

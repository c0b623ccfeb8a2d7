import { useEffect, useRef } from 'react';
import { parameterFieldId } from '../../../../views/query-run/parameters-panel.tsx';

/** Shows the field of a parameter whose value a run refused, and moves the focus to it, once per failed run. */
export function useParameterFocus(name: string | undefined, failure: unknown, show: () => void): void {
  const wanted = useRef<{ readonly failure: unknown; readonly isMet: boolean } | null>(null);
  // Runs after each render: the field exists only after the render that opens the panel, and the panel sets its focus first.
  useEffect(() => {
    const pending = wanted.current?.failure === failure ? wanted.current : null;
    if (name === undefined || pending?.isMet) return;
    const field = document.getElementById(parameterFieldId(name));
    if (!pending) show();
    const isShown = field?.checkVisibility() === true;
    wanted.current = { failure, isMet: isShown };
    if (isShown) field.focus();
  });
}

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Shows the field of a parameter whose value a run refused, and moves the focus to it, once per failed run.
 * @param show  Opens the panel with the field.
 * @returns the ref for the field.
 */
export function useParameterFocus(
  name: string | undefined,
  failure: unknown,
  show: () => void,
): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const request = useRef<{ readonly failure: unknown; readonly isMet: boolean } | null>(null);
  // Runs after each render: the field exists only after the render that opens the panel, and the panel sets its focus first.
  useEffect(() => {
    const pending = request.current?.failure === failure ? request.current : null;
    if (name === undefined || pending?.isMet) return;
    if (!pending) show();
    const isShown = field.current?.checkVisibility() === true;
    request.current = { failure, isMet: isShown };
    if (isShown) field.current?.focus();
  });
  return field;
}

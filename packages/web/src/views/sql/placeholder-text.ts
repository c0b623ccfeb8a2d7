/** What an empty editor of an engine's statements says. */
export const placeholderText = (engine: string, isReadOnly = false): string =>
  isReadOnly ? '' : engine === 'Rest' ? '{"path": "/…"}' : 'select …';

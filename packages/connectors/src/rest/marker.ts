/** Marker of a bound value: `{"svc:bound": 1}` in the position of a value. */
export const boundName = 'svc:bound';

export const restMarker = (number: number): string => `{"${boundName}": ${number}}`;

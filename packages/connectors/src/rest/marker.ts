/** The marker of a bound value, which stands where a value may: `{"svc:bound": 1}`. */
export const boundName = 'svc:bound';

export const restMarker = (number: number): string => `{"${boundName}": ${number}}`;

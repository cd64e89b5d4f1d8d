export { convertForDisplay, isCurrencyCode, minorUnitDigits, roundToMinorUnit, vatOf } from './currency';
export { Decimal, decimal, toFixedString, toJsonNumber } from './decimal';
export { splitProportionally } from './split-proportionally';

import { z } from 'zod';
import { id, moment, money } from '../../fields/response-fields';
import { amountFrom, integerFrom } from '../../fields/request-fields';

const setBy = z.enum(['Operator', 'Ancestor']).meta({
  description: 'Who set it: Ancestor is a partner above you. Operator where both set the same.',
});

const amountLimit = (description: string) =>
  z
    .strictObject({ limit: money('In SAR.'), setBy })
    .nullable()
    .meta({ description });

/** The limits that hold, and what is spent of them (spec §17.5). */
export const walletLimits = z
  .strictObject({
    maxOrderAmount: amountLimit('The most that one order may cost; null for no limit.'),
    dailySpend: amountLimit('The most that the orders of one day may cost together; null for no limit.'),
    dailyOrdersPerPhone: z
      .strictObject({ limit: z.int(), setBy })
      .nullable()
      .meta({ description: 'How many top-ups of a day one number may get; null for no limit.' }),
    spentToday: money('What orders submitted today (UTC) hold and were charged, less what was given back.'),
    resetsAt: moment('When the next day begins.'),
  })
  .meta({ id: 'WalletLimits' });

const MOST_ORDERS = 1_000_000;

/** The limits that an ancestor sets: each request says all of them. */
export const limitsBody = z.strictObject({
  maxOrderAmount: amountFrom(
    0,
    { exclusive: false },
    'The most that one order may cost, in SAR; 0 forbids all, null is no limit.',
  ).nullish(),
  dailySpend: amountFrom(
    0,
    { exclusive: false },
    'The most that the orders of one day (UTC) may cost together, in SAR; 0 forbids all, null is no limit.',
  ).nullish(),
  dailyOrdersPerPhone: integerFrom(
    0,
    MOST_ORDERS,
    'How many top-ups of a day (UTC) one number may get; 0 forbids all, null is no limit.',
  ).nullish(),
});

const orNoLimit = (description: string) => `${description} Null for no limit.`;
const setAmount = (description: string) => money(orNoLimit(description)).nullable();

/** What an ancestor has set. */
export const descendantLimits = z
  .strictObject({
    partnerId: id('Whose orders they limit.'),
    environment: z.enum(['sandbox', 'live']).meta({ description: 'That of the token.' }),
    maxOrderAmount: setAmount('The most that one order may cost, in SAR.'),
    dailySpend: setAmount('The most that the orders of one day (UTC) may cost together, in SAR.'),
    dailyOrdersPerPhone: z
      .int()
      .nullable()
      .meta({ description: orNoLimit('How many top-ups of a day (UTC) one number may get.') }),
  })
  .meta({ id: 'DescendantLimits' });

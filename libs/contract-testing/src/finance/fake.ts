import { Fake } from '../fake';

/** The display rate that the fake of finance answers for every currency. */
export const FAKE_RATE = '0.266600';

/** finance as scent-commerce sees it: it asks for display rates only. */
export const fakeRates = (): Fake => new Fake({ 'RateService.GetRate': () => ({ rate: FAKE_RATE }) });

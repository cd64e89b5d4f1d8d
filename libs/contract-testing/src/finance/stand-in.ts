import { StandIn } from '../stand-in';

/** The display rate that the stand-in of finance answers for every currency. */
export const STAND_IN_RATE = '0.266600';

/** finance as scent-commerce sees it: it asks for display rates only. */
export const ratesStandIn = (): StandIn =>
  new StandIn({ 'RateService.GetRate': () => ({ rate: STAND_IN_RATE }) });

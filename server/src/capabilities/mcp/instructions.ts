/** Hosts pass this on to their model. */
export const INSTRUCTIONS =
  'Bestow buys gifts and sends them to people. Amounts are whole cents of one currency. Look up categories, preview an order, show the person the recipients and the total, and place the order with the preview’s token. An error tells the next step.';

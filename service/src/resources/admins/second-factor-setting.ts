/** Name of the installation's setting by which every account needs a second factor. */
export const secondFactorRequired = 'second_factor_required';

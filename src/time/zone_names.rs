//! The names of time zones that Ruby (and so Puppet) supports: abbreviations, and the first words of names such as
//! `W. Europe Standard Time`. Each has a fixed offset.
//!
//! Observed: Ruby 3.1, for every word of up to five letters.

/// Rows of an offset from UTC in minutes and the lower-case names with this offset, separated by commas.
#[rustfmt::skip]
pub(super) static ZONE_NAMES_BY_OFFSET: &[(i16, &str)] = &[
    (-720, "y, aoe, idlw, dateline"),
    (-660, "x, nt, nut, sst, samoa"),
    (-600, "w, ckt, hst, ahst, hast, taht, hawaiian"),
    (-540, "v, hdt, yst, akst, gamt, hadt, alaskan"),
    (-510, "mart"),
    (-480, "u, pst, ydt, akdt, pacific"),
    (-420, "t, mst, pdt, mountain, us mountain"),
    (-360, "s, cst, mdt, east, galt, mexico, central, canada central, central america"),
    (-300, "r, act, cdt, cot, ect, est, pet, cist, easst, eastern, sa pacific, us eastern"),
    (-240, "q, ast, bot, clt, edt, fkt, gyt, vet, cidst, atlantic, pacific sa, sa western"),
    (-210, "newfoundland"),
    (-180, "p, adt, art, brt, gft, srt, uyt, wgt, clst, fkst, pmst, pyst, rott, warst, greenland, sa eastern, \
        e. south america"),
    (-150, "nst"),
    (-120, "o, at, fnt, brst, pmdt, uyst, wgst"),
    (-90, "ndt"),
    (-60, "n, cvt, egt, azot, azores, cape verde"),
    (0, "z, ut, wt, gmt, utc, wet, egst, azost, greenwich"),
    (60, "a, bst, cet, fwt, met, mez, swt, wat, mewt, west, romance, w. europe, central europe, central european, \
        w. central africa"),
    (120, "b, cat, eet, fle, fst, gtb, cest, mest, mesz, sast, wast, egypt, e. europe, jerusalem, south africa"),
    (180, "c, bt, eat, fet, idt, msk, trt, arab, eest, syot, arabic, russian, e. africa"),
    (210, "iran, irst"),
    (240, "d, azt, get, msd, mut, ret, sct, kuyt, samt, arabian, caucasus"),
    (270, "aft, irdt, afghanistan"),
    (300, "e, mvt, pkt, tft, tjt, tmt, uzt, aqtt, azst, mawt, orat, yekt, west asia, ekaterinburg"),
    (330, "ist, india"),
    (345, "npt, nepal"),
    (360, "f, btt, iot, kgt, almt, omst, qyzt, vost, yekst, sri lanka, central asia, n. central asia"),
    (390, "cct, mmt, myanmar"),
    (420, "g, cxt, ict, wib, davt, hovt, krat, novt, novst, omsst, se asia, north asia"),
    (480, "h, bnt, hkt, myt, pht, sgt, awst, cast, chot, irkt, ulat, wadt, wita, china, hovst, krast, taipei, \
        w. australia, north asia east"),
    (525, "acwst"),
    (540, "i, jst, kst, pwt, tlt, wit, awdt, yakt, chost, irkst, korea, tokyo, ulast, yakutsk"),
    (570, "acst, aus central, cen. australia"),
    (600, "k, gst, pgt, aest, chst, chut, ddut, vlat, yapt, yakst, tasmania, aus eastern, vladivostok, e. australia, \
        west pacific"),
    (630, "acdt, lhst"),
    (660, "l, nct, nft, sbt, vut, aedt, eadt, kost, lhdt, magt, pont, sakt, sret, vlast, central pacific"),
    (720, "m, fjt, mht, nrt, nzt, tvt, wft, anat, fiji, gilt, idle, nfdt, nzst, pett, wakt, anast, magst, petst, \
        new zealand"),
    (765, "chast"),
    (780, "tkt, tot, fjst, nzdt, phot, tonga"),
    (825, "chadt"),
    (840, "lint, tost"),
];

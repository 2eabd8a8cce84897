// SPDX-License-Identifier: GPL-2.0-or-later
// Macros of FFmpeg's headers, which do not import into Swift, and every difference between
// FFmpeg 5.1 and 7.1. No logic.
#ifndef CANDELA_CFFMPEG_SHIM_H
#define CANDELA_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <dlfcn.h>
#include <malloc.h>

static inline int candela_averror_eof(void) { return AVERROR_EOF; }
static inline int candela_averror_eagain(void) { return AVERROR(EAGAIN); }
static inline int candela_averror_enomem(void) { return AVERROR(ENOMEM); }
static inline int candela_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int candela_averror_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int candela_averror_encoder_not_found(void) { return AVERROR_ENCODER_NOT_FOUND; }
static inline int candela_averror_filter_not_found(void) { return AVERROR_FILTER_NOT_FOUND; }
static inline int candela_averror_muxer_not_found(void) { return AVERROR_MUXER_NOT_FOUND; }
static inline int candela_averror_option_not_found(void) { return AVERROR_OPTION_NOT_FOUND; }
static inline int candela_averror_patchwelcome(void) { return AVERROR_PATCHWELCOME; }
static inline int64_t candela_nopts(void) { return AV_NOPTS_VALUE; }

// The version of SVT-AV1, which libavcodec loads; NULL if it was built without that encoder.
static inline const char *candela_svt_av1_version(void) {
  // A null handle searches everything that is loaded (dlsym(3), RTLD_DEFAULT).
  const char *(*version)(void) = (const char *(*)(void))dlsym(NULL, "svt_av1_get_version");
  return version ? version() : NULL;
}

// True if the decoder of JPEG 2000 knows the blocks of its high-throughput part.
static inline int candela_decodes_htj2k(void) {
  return LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100);  // FFmpeg 6.1
}

static inline int candela_frame_is_interlaced(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED  // since libavutil 58.7 (FFmpeg 6.1)
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame;
#endif
}

static inline int candela_frame_top_field_first(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first;
#endif
}

static inline void candela_frame_set_fields(AVFrame *frame, int is_interlaced, int is_top_first) {
#ifdef AV_FRAME_FLAG_INTERLACED
  const int both = AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST;
  frame->flags = (frame->flags & ~both) | (is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0) |
                 (is_top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
  frame->interlaced_frame = is_interlaced;
  frame->top_field_first = is_top_first;
#endif
}

// The functions of libavfilter that Candela calls. The module map does not link the library.
#define CANDELA_FILTER_FUNCTIONS(USE) \
  USE(avfilter_version) USE(avfilter_graph_alloc) USE(avfilter_graph_set_auto_convert) \
  USE(avfilter_graph_config) USE(avfilter_graph_create_filter) USE(avfilter_graph_free) \
  USE(avfilter_get_by_name) USE(avfilter_link) USE(av_buffersrc_add_frame_flags) \
  USE(av_buffersink_get_format) USE(av_buffersink_get_frame)

typedef struct {
#define CANDELA_DECLARE(name) __typeof__(&name) name;
  CANDELA_FILTER_FUNCTIONS(CANDELA_DECLARE)
#undef CANDELA_DECLARE
} candela_filter_functions;

static inline const char *candela_filter_library(void) {
  return "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR);
}

// Returns 0 if the library or one of the functions is missing.
static inline int candela_find_filter_functions(candela_filter_functions *functions) {
  void *library = dlopen(candela_filter_library(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define CANDELA_FIND(name) \
  *(void **)&functions->name = dlsym(library, #name); \
  if (!functions->name) return 0;
  CANDELA_FILTER_FUNCTIONS(CANDELA_FIND)
#undef CANDELA_FIND
  return 1;
}

static inline int64_t candela_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)  // FFmpeg 6.0
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

// A number that goes with a packet through the decoder to its picture: set when the decoder is made,
// before each packet is sent, and read from the picture.
static inline void candela_carry_packet_numbers(AVCodecContext *context) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE  // since FFmpeg 6.0
  context->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#endif
}

static inline void candela_set_packet_number(
    AVCodecContext *context, AVPacket *packet, int64_t number) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
  packet->opaque = (void *)(intptr_t)number;
#else
  context->reordered_opaque = number;
#endif
}

static inline int64_t candela_packet_number(const AVFrame *frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
  return (intptr_t)frame->opaque;
#else
  return frame->reordered_opaque;
#endif
}

// FFmpeg 6.1 and later have a function for this.
static inline void candela_remove_packet_side_data(
    AVPacket *packet, enum AVPacketSideDataType type) {
  for (int i = packet->side_data_elems - 1; i >= 0; i--) {
    if (packet->side_data[i].type != type) continue;
    av_free(packet->side_data[i].data);
    packet->side_data[i] = packet->side_data[--packet->side_data_elems];
  }
}

// Side data of a track: on the stream until FFmpeg 6.0, on the codec parameters since 6.1.
static inline const uint8_t *candela_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (size) *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

// Copies what a container says of a track to one that is written: Dolby Vision, mastering display,
// light levels. Since 6.1 it is copied with the codec parameters.
static inline int candela_copy_stream_side_data(AVStream *to, const AVStream *from) {
#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 15, 100)
  for (int i = 0; i < from->nb_side_data; i++) {
    const AVPacketSideData *data = &from->side_data[i];
    uint8_t *copy = av_stream_new_side_data(to, data->type, data->size);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy, data->data, data->size);
  }
#else
  (void)to, (void)from;
#endif
  return 0;
}

// Forgets what a container says of a track beside its codec. Since FFmpeg 6.1 that is copied with
// the codec parameters; decoders would give a container's mastering display as what the bitstream
// says, and the movie muxer would write boxes of its own, beside those that are copied exactly.
static inline void candela_forget_parameters_side_data(AVCodecParameters *parameters) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  av_packet_side_data_free(&parameters->coded_side_data, &parameters->nb_coded_side_data);
#else
  (void)parameters;
#endif
}

static inline void candela_forget_decoder_side_data(AVCodecContext *context) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  av_packet_side_data_free(&context->coded_side_data, &context->nb_coded_side_data);
#else
  (void)context;
#endif
}

// Samples of priming that the Matroska muxer states (CodecDelay), from which readers count, and does
// not add to times: FFmpeg before 6.0, of Opus.
static inline int candela_unadded_codec_delay(const AVCodecParameters *parameters) {
#if LIBAVFORMAT_VERSION_MAJOR < 60
  return parameters->codec_id == AV_CODEC_ID_OPUS ? parameters->initial_padding : 0;
#else
  (void)parameters;
  return 0;
#endif
}

// Gives memory that was freed back to the system. This takes time for all the memory that there is.
static inline void candela_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Frees a codec. Of one with threads, it gives the memory back to the system: what its threads freed
// would stay with them, and the next codec's threads would take as much again.
static inline void candela_free_codec(AVCodecContext **context) {
  int had_threads = *context && (*context)->active_thread_type != 0;
  avcodec_free_context(context);
  if (had_threads) candela_trim_memory();
}

// A chapter more of a file that is written; NULL where there is no memory.
static inline AVChapter *candela_add_chapter(AVFormatContext *context) {
  AVChapter *chapter = av_mallocz(sizeof(*chapter));
  int count = context->nb_chapters;
  if (!chapter) return NULL;
  if (av_dynarray_add_nofree(&context->chapters, &count, chapter) < 0) {
    av_free(chapter);
    return NULL;
  }
  context->nb_chapters = count;
  return chapter;
}

// Frames per second on average. Of a bare bitstream, which states no times, FFmpeg 7.1 gives 25 for
// an average, and what the bitstream says as the rate of its codec.
static inline AVRational candela_frame_rate(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  if (stream->start_time == AV_NOPTS_VALUE && stream->codecpar->framerate.num > 0)
    return stream->codecpar->framerate;
#endif
  return stream->avg_frame_rate;
}

// Whether the Matroska muxer writes rotation (ProjectionPoseRoll) and crop (PixelCrop) of a track's
// side data.
static inline int candela_matroska_writes_display(void) {
  return LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100);
}

// Rows and columns that a container says are not to be seen; 0 where it says nothing. FFmpeg before 7.1
// does not read them; those of Matroska are read by ourselves.
static inline int candela_stream_crop(const AVStream *stream, uint32_t *top, uint32_t *bottom,
                                      uint32_t *left, uint32_t *right) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100)
  size_t size = 0;
  const uint8_t *data = candela_stream_side_data(stream, AV_PKT_DATA_FRAME_CROPPING, &size);
  if (!data || size < 16) return 0;
  uint32_t *sides[4] = {top, bottom, left, right};
  for (int i = 0; i < 4; i++)
    *sides[i] = data[4 * i] | data[4 * i + 1] << 8 | data[4 * i + 2] << 16 |
                (uint32_t)data[4 * i + 3] << 24;
  return 1;
#else
  (void)stream, (void)top, (void)bottom, (void)left, (void)right;
  return 0;
#endif
}

// The codec that a muxer's own tags, those of AVI or those of QuickTime have for four characters. Swift
// cannot pass these arrays of tables.
static inline enum AVCodecID candela_codec_of_muxer(const AVOutputFormat *format, uint32_t tag) {
  return av_codec_get_id(format->codec_tag, tag);
}

static inline uint32_t candela_tag_of_muxer(const AVOutputFormat *format, enum AVCodecID codec) {
  return av_codec_get_tag(format->codec_tag, codec);
}

static inline enum AVCodecID candela_codec_in_avi(uint32_t tag) {
  const struct AVCodecTag *tables[] = {avformat_get_riff_video_tags(), NULL};
  return av_codec_get_id(tables, tag);
}

static inline enum AVCodecID candela_codec_in_quicktime(uint32_t tag) {
  const struct AVCodecTag *tables[] = {avformat_get_mov_video_tags(), NULL};
  return av_codec_get_id(tables, tag);
}

static inline uint32_t candela_tag_in_avi(enum AVCodecID codec) {
  const struct AVCodecTag *tables[] = {
      avformat_get_riff_video_tags(), avformat_get_riff_audio_tags(), NULL};
  return av_codec_get_tag(tables, codec);
}

static inline uint32_t candela_tag_in_quicktime(enum AVCodecID codec) {
  const struct AVCodecTag *tables[] = {avformat_get_mov_video_tags(), NULL};
  return av_codec_get_tag(tables, codec);
}

static inline int candela_is_big_endian(void) { return AV_NE(1, 0); }

static inline int candela_channel_count(const AVCodecParameters *parameters) {
  return parameters->ch_layout.nb_channels;
}

// swr_convert for whole frames; NULL instead of the source gives what is held back. The type of its
// arguments changed with FFmpeg 6.1.
static inline int candela_swr_convert_frame(
    struct SwrContext *context, AVFrame *out, const AVFrame *in) {
  return swr_convert(context, out->extended_data, out->nb_samples,
                     in ? (const uint8_t **)in->extended_data : NULL, in ? in->nb_samples : 0);
}

// sws_scale for a whole frame; Swift cannot pass the frame's arrays as pointers.
static inline int candela_sws_scale_frame(
    struct SwsContext *context, const AVFrame *frame, uint8_t **data, const int *rows, int planes) {
  uint8_t *out[4] = {NULL, NULL, NULL, NULL};
  int strides[4] = {0, 0, 0, 0};
  for (int i = 0; i < planes && i < 4; i++) {
    out[i] = data[i];
    strides[i] = rows[i];
  }
  return sws_scale(context, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height,
                   out, strides);
}

#endif

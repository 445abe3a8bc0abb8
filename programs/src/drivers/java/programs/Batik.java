package programs;

import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.util.SplittableRandom;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.PNGTranscoder;

/** Batik: threads that draw pictures in SVG as PNG. */
public final class Batik {
    private Batik() {
    }

    /** The arguments are threads and pictures of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                ByteArrayOutputStream picture = new ByteArrayOutputStream();
                TranscoderInput input = new TranscoderInput(new StringReader(svg(number * size + i)));
                input.setURI("memory:picture.svg");
                new PNGTranscoder().transcode(input, new TranscoderOutput(picture));
                digest.add(picture.toByteArray());
            }
            return digest;
        });
    }

    private static String svg(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200'>"
            + "<style type='text/css'>.a { fill: #c33; } .b { fill: none; stroke: #36c; stroke-width: 2 }</style>"
            + "<defs><linearGradient id='g'><stop offset='0' stop-color='white'/><stop offset='1' stop-color='black'/></linearGradient></defs>"
            + "<rect width='200' height='200' fill='url(#g)'/>");
        for (int i = 0; i < 30; i++) {
            text.append("<g transform='rotate(").append(random.nextInt(360)).append(" 100 100)'><circle class='").append(i % 2 == 0 ? 'a' : 'b')
                .append("' cx='").append(random.nextInt(200)).append("' cy='").append(random.nextInt(200)).append("' r='").append(2 + random.nextInt(20))
                .append("' opacity='0.7'/><path class='b' d='M").append(random.nextInt(200)).append(' ').append(random.nextInt(200)).append(" C 20 20, 40 20, 150 ")
                .append(random.nextInt(200)).append("'/></g>");
        }
        return text.append("</svg>").toString();
    }
}
